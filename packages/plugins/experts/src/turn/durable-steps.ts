import {
  type ConversationSteps,
  isToolError,
  type RunContext,
  type StepContext,
  type ToolResult,
  type ToolUse,
} from '@nexus/plugin-sdk';
import type { ExpertTool } from './expert-tools.ts';

/** A conversation whose every model call and tool call is a step of the run, done once and kept. */
export function durableSteps(run: RunContext, tools: readonly ExpertTool[]): ConversationSteps {
  const repeatable = new Map(tools.map(({ name, isRepeatable }) => [name, isRepeatable]));
  return {
    model: (turn, work) =>
      run.step(`model ${turn}`, (step) => kept(step, work(step)), { title: 'asks the model' }),
    tool: (turn, use, work) =>
      run
        .step(`tool ${turn} ${use.id}`, (step) => kept(step, work(step)), {
          title: use.name,
          input: { name: use.name, arguments: use.input },
          isRepeatable: repeatable.get(use.name) ?? false,
        })
        .catch((error: unknown) => unknownOutcome(error, use)),
  };
}

/** The server died in the middle of a call that must not be made twice: the model is told, and goes on. */
function unknownOutcome(error: unknown, { id, name }: ToolUse): ToolResult {
  if (!isToolError(error) || error.code !== 'NEXUS_OUTCOME_UNKNOWN') throw error;
  const text = `It is not known whether ${name} did its work: the server that called it ended meanwhile. It was not called again. Look at its effect before you call it once more.`;
  return { type: 'tool_result', toolUseId: id, isError: true, content: [{ type: 'text', text }] };
}

/** What ended because the run was ended, or moved elsewhere, is no answer to be kept. */
async function kept<Output>({ signal }: StepContext, work: Promise<Output>): Promise<Output> {
  const output = await work;
  signal.throwIfAborted();
  return output;
}
