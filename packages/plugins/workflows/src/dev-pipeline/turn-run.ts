import { aboutProject, defineRun, durableSteps, type RunContext } from '@nexus/plugin-sdk';
import type { AllowedCommands } from '../commands/allowed.ts';
import { PROVER } from '../proof/prompts.ts';
import type { WorkflowsState } from '../state.ts';
import type { Place } from '../worktree/place.ts';
import { finish } from '../worktree/tools/finish.ts';
import type { TreeTool, TreeWork } from '../worktree/tools/tree-tool.ts';
import { readingTools, workingTools } from '../worktree/tools/tree-tools.ts';
import { IMPLEMENTER, RESEARCHER } from './prompts.ts';
import { ranIn } from './ran-in-work.ts';

/** One conversation over one worktree; plain JSON. */
export interface TreeTurnInput {
  readonly role: 'researcher' | 'implementer' | 'prover';
  readonly place: Place;
  /** The run that holds the worktree. */
  readonly holder: string;
  readonly title: string;
  readonly prompt: string;
  readonly maxSteps: number;
}

export interface TreeTurnOutput {
  readonly output: string;
  readonly stopped?: string;
  /** That did it; absent where an earlier version kept none. */
  readonly model?: string;
  /** How each command ended that was run in it; absent where an earlier version kept none. */
  readonly ran?: readonly string[];
}

const ROLES = {
  researcher: { system: RESEARCHER, category: 'context' },
  implementer: { system: IMPLEMENTER, category: 'code' },
  prover: { system: PROVER, category: 'code' },
} as const;

/** A conversation as a run of its own: killed anywhere, it goes on with the model and tool calls that are done. */
export const treeTurnRun = defineRun({
  name: 'workflows.tree-turn',
  version: 1,
  async run(input: TreeTurnInput, run: RunContext<WorkflowsState>): Promise<TreeTurnOutput> {
    const { role, place, holder, title, prompt, maxSteps } = input;
    const work = {
      place,
      title,
      holder: { runId: holder, runs: run.host.runs },
      programs: run.host.programs,
    };
    const tools = toolsOf(role, work, run.state.options);
    const { text, endedBy, model, messages } = await run.host.models.converse(
      {
        ...ROLES[role],
        system: await aboutProject(run.host, ROLES[role].system),
        prompt,
        tools,
        maxSteps,
        toolTimeoutMs: run.state.options.commandTimeoutMs + GRACE_MS,
        // Whatever they do, they do in the worktree, by commands that the config allows.
        approve: async () => ({ isGiven: true }),
        steps: durableSteps(run, {
          isRepeatable: (name) => tools.find((tool) => tool.name === name)?.isRepeatable ?? false,
        }),
        onTurn(event) {
          if (event.type === 'tool_use') run.progress(`uses ${event.use.name}`);
        },
      },
      run,
    );
    const stopped = STOPPED[endedBy](maxSteps);
    return { output: text, model, ran: ranIn(messages), ...(stopped === undefined ? {} : { stopped }) };
  },
});

/** Of a proof nothing is read but what is left in the worktree. */
function toolsOf(
  role: TreeTurnInput['role'],
  work: TreeWork,
  commands: AllowedCommands,
): readonly TreeTool[] {
  if (role === 'researcher') return readingTools(work);
  const working = workingTools(work, commands);
  return role === 'prover' ? [...working, finish] : working;
}

/** What a command takes beside its own time. */
const GRACE_MS = 30_000;

const STOPPED = {
  answer: () => undefined,
  steps: (maxSteps: number) => `stopped after ${maxSteps} model calls (workflows.maxSteps)`,
  repetition: () => 'stopped, since it repeated the same call after it was told',
} as const satisfies Record<string, (maxSteps: number) => string | undefined>;
