import type { CallContext, ToolCallResult } from '@nexus/plugin-sdk';
import {
  type PartWanted,
  partOfResult,
  roundedNumbers,
  writtenText,
  writtenWholeOf,
} from '@nexus/primitives';

/**
 * A part of a tool's result in the place of all of it: as JSON, or lines where it is text, after what is said of what
 * was left out. Where there is no such part, that is said with what there is, and the result is kept: its call can't be
 * taken back. One of which no part can be named is answered as it is, with why; so is an error, which stays as it is.
 */
export async function resultPart(
  result: ToolCallResult,
  wanted: PartWanted,
  { host, session, user }: Pick<CallContext, 'host' | 'session' | 'user'>,
): Promise<ToolCallResult> {
  if (result.isError) return result;
  const whole = writtenWholeOf(result);
  if (whole === undefined) {
    const why = 'The result is neither JSON nor one text, so no part of it can be named or was taken.';
    return { ...result, content: [text(why), ...result.content] };
  }
  const part = await partOfResult(whole, wanted);
  if ('fault' in part) {
    const { structuredContent: _, content, ...rest } = result;
    const mimeType = typeof whole === 'string' ? 'text/plain' : 'application/json';
    const { uri } = await host.results.keep(writtenText(whole), mimeType, { session, user });
    const said = `${part.fault} So no part was taken; read_result takes parts of the whole result, which is ${uri}.`;
    return { ...rest, content: [text(said), ...content.filter(({ type }) => type !== 'text')] };
  }
  const { value, notes } = part;
  const { structuredContent: _, content, ...rest } = result;
  const others = content.filter(({ type }) => type !== 'text');
  const shown = writtenText(value);
  // A structure would have other numbers than the text: then the text says it alone.
  const isExact = isObject(value) && roundedNumbers(shown).length === 0;
  return {
    ...rest,
    content: [...notes.map(text), text(shown), ...others],
    ...(isExact ? { structuredContent: JSON.parse(shown) } : {}),
  };
}

function text(said: string) {
  return { type: 'text', text: said };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
