import {
  type ErrorCode,
  isToolError,
  type RunContext,
  type StepContext,
  type ToolCaller,
  type ToolCallResult,
  ToolError,
} from '@nexus/plugin-sdk';
import { apartFromAttribution, joinSplitJson } from '@nexus/primitives';
import { isRecord, isWithinLimits, MAX_VALUE_SIZE } from '../expressions/values.ts';
import type { WorkToDo } from './do-work.ts';
import { cameBeforeWork, FIRST_DELAY_MS, mayHelpAgain, runsOnce } from './retries.ts';
import { noSuchTool, toolReached } from './tool-meant.ts';

/** Calls a tool of the caller's, with what the caller may do and no more. */
export function callTool(run: RunContext, tool: string, { work: todo, given }: WorkToDo): Promise<unknown> {
  const { id, title = id, retries, timeoutMs } = todo;
  // Until the tool is called nothing has been done.
  let mayRunTwice = true;
  const isRetryable = (error: unknown) => mayHelpAgain(error) && (mayRunTwice || cameBeforeWork(error));
  const work = async (step: StepContext) => {
    const { tools } = step;
    const meant = await toolReached(tools, tool);
    mayRunTwice = meant?.isRepeatable ?? true;
    if (!mayRunTwice) await step.onlyOnce();
    const answered = await called(tools, tool, given).catch((error: unknown) => {
      throw retries > 0 && mayHelpAgain(error) && !isRetryable(error) ? notAgain(tool, error) : error;
    });
    return outputOf(id, answered);
  };
  return run.step('call', work, {
    title,
    input: given,
    retry: { attempts: retries + 1, delayMs: FIRST_DELAY_MS, isRetryable },
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  });
}

/** Members of a step's output that no tool's own structure has. */
const BLOCKS = 'nexus/content';
const ROUNDED = 'nexus/rounded';
const WHOSE = 'nexus/whose';
const OF_OUTPUT: ReadonlySet<string> = new Set([BLOCKS, ROUNDED, WHOSE]);

/** The same error, with why it is final. */
function notAgain(tool: string, error: unknown): unknown {
  if (!isToolError(error)) return error;
  const text = `${error.message}\nNot tried again: ${runsOnce(tool)}.`;
  return new ToolError(error.code, text, { detail: { ...error.detail }, cause: error });
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

/**
 * What expressions see of an answer: its structure, or its text where it has none, as the tool gave them; beside it what is
 * no text, such as pictures, which numbers of it were rounded, and whose words it is in where they sound like Nexus.
 */
function outputOf(id: string, { structuredContent, content: given, _meta: meta }: ToolCallResult): unknown {
  const { whose, content } = apartFromAttribution(given);
  const blocks = content.filter(({ type }) => type !== 'text');
  const texts = content.filter(({ type }) => type === 'text').map(({ text }) => text ?? '');
  const rounded = meta?.['nexus/rounded'];
  const output = {
    ...(structuredContent ? withoutOwn(structuredContent) : { text: joinSplitJson(texts).join('\n') }),
    ...(blocks.length > 0 && { [BLOCKS]: blocks }),
    ...(Array.isArray(rounded) && rounded.length > 0 && { [ROUNDED]: rounded }),
    ...(whose !== undefined && { [WHOSE]: whose }),
  };
  if (isWithinLimits(output)) return output;
  const text = `What "${id}" answered is larger than ${MAX_VALUE_SIZE} characters; ask for less.`;
  throw new ToolError('NEXUS_INVALID_ARGUMENTS', text, { detail: { step: id } });
}

/** Those members say what a workflow knows of an answer, and nobody else says them. */
function withoutOwn(structure: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(structure).filter(([name]) => !OF_OUTPUT.has(name)));
}
