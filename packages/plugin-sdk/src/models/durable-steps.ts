import type { RunContext, StepContext, StepOptions } from '../runs/run-context.ts';
import type { ConversationSteps } from './converse.ts';

export interface DurableSteps {
  /** Whether a call of the tool may be made again where nobody knows whether the first one arrived. */
  readonly isRepeatable: (tool: string) => boolean;
  /** Before the steps' names, where a run holds more than one conversation. */
  readonly prefix?: string;
  /** Of each step that asks the model. */
  readonly model?: Pick<StepOptions, 'title' | 'retry' | 'timeoutMs'>;
}

/** A conversation whose every model call and tool call is a step of the run, done once and kept. */
export function durableSteps(
  run: RunContext,
  { isRepeatable, prefix = '', model = {} }: DurableSteps,
): ConversationSteps {
  return {
    model: (turn, work) =>
      run.step(`${prefix}model ${turn}`, (step) => kept(step, work(step)), {
        title: 'asks the model',
        ...model,
      }),
    tool: (turn, use, work) =>
      run.step(`${prefix}tool ${turn} ${use.id}`, (step) => kept(step, work(step)), {
        title: use.name,
        input: { name: use.name, arguments: use.input },
        isRepeatable: isRepeatable(use.name),
      }),
  };
}

/** What ended because the run was ended, or moved elsewhere, is no answer to be kept. */
async function kept<Output>({ signal }: StepContext, work: Promise<Output>): Promise<Output> {
  const output = await work;
  signal.throwIfAborted();
  return output;
}
