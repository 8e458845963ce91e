import {
  type ExpertTurnInput,
  expertTurn,
  type ProveInput,
  prove,
  type RunContext,
  type RunKindName,
  ToolError,
  type VoteInput,
  vote,
} from '@nexus/plugin-sdk';
import type { NodeFile, StepFile } from '../definition/file-schema.ts';
import { expertWith, proveWith, readUses, voteWith } from '../definition/uses.ts';
import { ASKED, askPerson } from './ask-person.ts';
import { callTool } from './call-tool.ts';
import { fitting } from './fitting.ts';
import { inItsWords } from './in-its-words.ts';
import { withRetries } from './retries.ts';
import { wait } from './wait.ts';

export type WorkFile = StepFile | NodeFile;

export interface WorkToDo {
  readonly work: WorkFile;
  /** Its `with`, expressions filled. */
  readonly given: unknown;
}

/** What a step or node asks by itself; that a call of it needs a yes is known only as it is made. */
export function asksOf({ uses }: Pick<WorkFile, 'uses'>): readonly string[] {
  return readUses(uses)?.type === 'ask' ? [ASKED] : [];
}

/** What a step or node does, as durable work of its run. */
export function doWork(run: RunContext, todo: WorkToDo): Promise<unknown> {
  const { work, given } = todo;
  const uses = readUses(work.uses);
  switch (uses?.type) {
    case 'tool':
      return callTool(run, uses.tool, todo);
    case 'expert':
      return askExpert(run, uses.role, { work, given });
    case 'vote':
      return holdVote(run, { work, given });
    case 'prove':
      return show(run, { work, given });
    case 'ask':
      return askPerson(run, { work, given });
    case 'wait':
      return wait(run, { work, given });
    case undefined:
      throw new ToolError('NEXUS_INVALID_ARGUMENTS', `Nobody is called "${work.uses}".`);
  }
}

type Given = Pick<WorkToDo, 'work' | 'given'>;

async function askExpert(run: RunContext, role: string, { work, given }: Given): Promise<unknown> {
  const { task, context, instructions, model, maxSteps } = fitting(expertWith, work, given);
  const input: ExpertTurnInput = {
    role,
    assignment: { task: inItsWords(task), ...(context === undefined ? {} : { context }) },
    ...(instructions === undefined ? {} : { instructions }),
    ...(model === undefined ? {} : { model }),
    ...(maxSteps === undefined ? {} : { maxSteps }),
  };
  await assertThere(run, expertTurn, { plugin: 'experts', work });
  const done = await withRetries(run, work, (name, options) => run.child(name, expertTurn, input, options));
  const { output: text, ...rest } = done;
  return { text, ...rest };
}

async function holdVote(run: RunContext, { work, given }: Given): Promise<unknown> {
  const asked = fitting(voteWith, work, given);
  await assertThere(run, vote, { plugin: 'consensus', work });
  const input = Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined));
  return withRetries(
    run,
    work,
    (name, options) => run.child(name, vote, input as unknown as VoteInput, options), // what the schema made, without what is absent
  );
}

/** By a test that is run; where none can be, that is its output. */
async function show(run: RunContext, { work, given }: Given): Promise<unknown> {
  const { kind, claim, context = {} } = fitting(proveWith, work, given);
  const facts = Object.entries(context).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  const input: ProveInput = { kind, claim, context: Object.fromEntries(facts) };
  return withRetries(run, work, (name, options) => run.child(name, prove, input, options));
}

/** On record, so that the run goes the same way again wherever it is played. */
async function assertThere(
  run: RunContext,
  kind: RunKindName,
  { plugin, work }: { readonly plugin: string; readonly work: WorkFile },
): Promise<void> {
  const isThere = () => {
    if (run.host.runs.knows(kind)) return true;
    const text = `The plugin "${plugin}" is not there, which does this step. Take it out of \`plugins\` that are turned off, and start Nexus again.`;
    throw new ToolError('NEXUS_UNAVAILABLE', text, { detail: { plugin } });
  };
  await run.step('who does it', isThere, { title: `${work.title ?? work.id}: looks for its plugin` });
}
