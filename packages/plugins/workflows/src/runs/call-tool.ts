import {
  type ErrorCode,
  type RunContext,
  type ToolCaller,
  type ToolCallResult,
  ToolError,
} from '@nexus/plugin-sdk';
import { isRecord, isWithinLimits, MAX_VALUE_SIZE } from '../expressions/values.ts';
import type { WorkToDo } from './do-work.ts';
import { FIRST_DELAY_MS, mayHelpAgain } from './retries.ts';
import { noSuchTool, toolReached } from './tool-meant.ts';

/** Calls a tool of the caller's, with what the caller may do and no more. */
export function callTool(
  run: RunContext,
  tool: string,
  { work, given, repeatable }: WorkToDo,
): Promise<unknown> {
  const { id, title = id, retries, timeoutMs } = work;
  return run.step('call', async ({ tools }) => outputOf(id, await called(tools, tool, given)), {
    title,
    input: given,
    isRepeatable: repeatable.includes(tool),
    retry: { attempts: retries + 1, delayMs: FIRST_DELAY_MS, isRetryable: mayHelpAgain },
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  });
}

/** @throws {ToolError} what the tool failed with */
export async function called(tools: ToolCaller, tool: string, given: unknown): Promise<ToolCallResult> {
  const meant = await toolReached(tools, tool);
  if (!meant) throw new ToolError('NEXUS_NOT_FOUND', noSuchTool(tool, tools), { detail: { tool } });
  const result = await tools.call(meant.name, { arguments: given });
  if (!result.isError) return result;
  const text = result.content
    .map((block) => block.text ?? '')
    .join('\n')
    .trim();
  const error = result._meta?.['nexus/error'];
  const code = isRecord(error) && typeof error.code === 'string' ? error.code : 'NEXUS_TOOL_FAILED';
  const detail = isRecord(error) && isRecord(error.detail) ? error.detail : {};
  throw new ToolError(code as ErrorCode, `${tool}: ${text}`, { detail: { ...detail, tool } }); // of the table, or our own
}

/** What expressions see of an answer: its structure, or its text where it has none. */
function outputOf(id: string, { structuredContent, content }: ToolCallResult): unknown {
  const output = structuredContent ?? { text: content.map((block) => block.text ?? '').join('\n') };
  if (isWithinLimits(output)) return output;
  const text = `What "${id}" answered is larger than ${MAX_VALUE_SIZE} characters; ask for less.`;
  throw new ToolError('NEXUS_INVALID_ARGUMENTS', text, { detail: { step: id } });
}
