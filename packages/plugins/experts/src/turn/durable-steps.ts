import type { ConversationSteps, RunContext, StepContext } from '@nexus/plugin-sdk';
import type { ExpertTool } from './expert-tools.ts';

/** A conversation whose every model call and tool call is a step of the run, done once and kept. */
export function durableSteps(run: RunContext, tools: readonly ExpertTool[]): ConversationSteps {
  const repeatable = new Map(tools.map(({ name, isRepeatable }) => [name, isRepeatable]));
  return {
    model: (turn, work) =>
      run.step(`model ${turn}`, (step) => kept(step, work(step)), { title: 'asks the model' }),
    tool: (turn, use, work) =>
      run.step(`tool ${turn} ${use.id}`, (step) => kept(step, work(step)), {
        title: use.name,
        input: { name: use.name, arguments: use.input },
        isRepeatable: repeatable.get(use.name) ?? false,
      }),
  };
}

/** What ended because the run was ended, or moved elsewhere, is no answer to be kept. */
async function kept<Output>({ signal }: StepContext, work: Promise<Output>): Promise<Output> {
  const output = await work;
  signal.throwIfAborted();
  return output;
}
