import { readFile, stat } from 'node:fs/promises';
import { type CallContext, ToolError } from '@nexus/plugin-sdk';
import { assertChoice } from '../asking/choice-fault.ts';
import { votingStrategy as ofVotes } from '../asking/choices.ts';
import { commandNames } from '../commands/command-names.ts';
import type { WorkflowsState } from '../state.ts';
import { findRepository, type Repository } from '../worktree/find-repository.ts';
import { located, type Scope } from '../worktree/located.ts';
import type { QualityGate } from './dev-output.ts';

/** What a dev pipeline is asked; plain JSON. */
export interface DevInput {
  /** What is wanted; or with `planFile`, the plan itself. */
  readonly task: string;
  /** The file that the task was read from. */
  readonly planFile?: string;
  /** What is known of it already, so that nobody is asked to find it out. */
  readonly research?: string;
  readonly repository: Repository;
  /** Names of allowed commands. */
  readonly setup: readonly string[];
  readonly checks: readonly string[];
  readonly maxVoteIterations: number;
  readonly maxQaIterations: number;
  readonly votingStrategy?: string;
  readonly quickMode?: boolean;
  readonly qualityGate: QualityGate;
  /** How often a turn may ask its model. */
  readonly maxSteps: number;
}

export interface DevRequest {
  readonly task?: string | undefined;
  readonly planFile?: string | undefined;
  readonly workingDir: string;
  readonly maxVoteIterations: number;
  readonly maxQaIterations: number;
  readonly votingStrategy?: string | undefined;
  readonly qualityGate: QualityGate;
  readonly quickMode?: boolean;
}

/**
 * What a dev pipeline will work on, all that can be wrong with it found before a model is asked.
 * @throws {ToolError}
 */
export async function devInput(
  request: DevRequest,
  call: Pick<CallContext<WorkflowsState>, 'state' | 'host' | 'roots' | 'signal'>,
): Promise<DevInput> {
  const { task, planFile, workingDir, votingStrategy, quickMode, ...limits } = request;
  assertChoice(call.host.runs, ofVotes, votingStrategy);
  const { options } = call.state;
  const scope = { roots: await call.roots(), privatePaths: call.host.privatePaths };
  const { setup, checks } = commandNames(options);
  if (request.qualityGate === 'blocking' && checks.length === 0) {
    const text =
      'A quality gate that blocks needs a check, and the config has none: add it to workflows.commands, or use qualityGate "advisory".';
    throw new ToolError('NEXUS_INVALID_ARGUMENTS', text);
  }
  return {
    task: await textOf(task, planFile, scope),
    ...(planFile === undefined ? {} : { planFile }),
    repository: await findRepository(
      workingDir,
      { ...scope, projectRoot: call.host.projectRoot },
      call.signal,
    ),
    setup,
    checks,
    ...limits,
    ...(votingStrategy === undefined ? {} : { votingStrategy }),
    ...(quickMode === undefined ? {} : { quickMode }),
    maxSteps: options.maxSteps,
  };
}

const MAX_PLAN_CHARS = 100_000;

async function textOf(task: string | undefined, planFile: string | undefined, scope: Scope): Promise<string> {
  if ((task === undefined) === (planFile === undefined)) {
    const text =
      'State either a task or a planFile, such as {"task": "Accept tabs."} or {"planFile": "docs/plan.md"}.';
    throw new ToolError('NEXUS_INVALID_ARGUMENTS', text);
  }
  if (task !== undefined) return task;
  const typed = planFile ?? '';
  const file = await located(typed, scope);
  if (!(await stat(file)).isFile()) {
    throw new ToolError('NEXUS_FILE_UNREADABLE', `The planFile ${typed} is no regular file.`);
  }
  const text = (await readFile(file, 'utf8')).trim();
  if (text === '' || text.length > MAX_PLAN_CHARS) {
    const words = `The planFile ${typed} has ${text.length} characters; 1 to ${MAX_PLAN_CHARS} make a plan. Give a longer one in parts, one after the other.`;
    throw new ToolError('NEXUS_INVALID_ARGUMENTS', words);
  }
  return text;
}
