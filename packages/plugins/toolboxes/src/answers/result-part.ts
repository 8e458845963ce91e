import { answerRoom, type CallContext, maxLineChars, type ToolCallResult, textRoom } from '@nexus/plugin-sdk';
import {
  apartFromAttribution,
  attributionTo,
  OWN_SENTENCES,
  type PartWanted,
  partOfResult,
  partThatFits,
  roundedNumbers,
  writtenText,
  writtenWholeOf,
} from '@nexus/primitives';

/**
 * A part of a tool's result in the place of all of it: as JSON, or lines where it is text, as much as the answer holds,
 * after what is said of what was left out and at which offset it goes on. Where there is no such part, that is said with what there is, and the result is kept: its call can't be
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
    const why = OWN_SENTENCES.noPartOf();
    return { ...result, content: [text(why), ...result.content] };
  }
  const { whose, content } = apartFromAttribution(result.content);
  const others = content.filter(({ type }) => type !== 'text');
  const part = await partThatFits({
    wanted: { ...wanted, maxLineChars: maxLineChars(host.results) },
    take: (each) => partOfResult(whole, each),
    // Each that has a text of its own gets as much.
    room: Math.floor(textRoom(host.results) / (1 + others.filter(hasText).length)),
    whereWhole: kept,
    whose,
  });
  const { structuredContent: _, ...rest } = result;
  if ('fault' in part) {
    const said = OWN_SENTENCES.noPartTaken(part.fault, await kept());
    const line = whose === undefined || others.length === 0 ? [] : [text(attributionTo(whose))];
    return { ...rest, content: [text(said), ...line, ...others] };
  }
  const { value, before, text: shown } = part;
  // A structure would have other numbers than the text, or no room beside it: then the text says it alone.
  const isExact = isObject(value) && roundedNumbers(shown).length === 0;
  const isSaidTwice = isExact && 2 * shown.length <= answerRoom(host.results);
  return {
    ...rest,
    content: [...before.map(text), text(shown), ...others],
    ...(isSaidTwice ? { structuredContent: JSON.parse(shown) } : {}),
  };

  async function kept(): Promise<string> {
    const mimeType = typeof whole === 'string' ? 'text/plain' : 'application/json';
    const { uri } = await host.results.keep({ text: writtenText(whole), mimeType, whose }, { session, user });
    return uri;
  }
}

function hasText(block: ToolCallResult['content'][number]): boolean {
  const { type, resource } = block as { readonly type: string; readonly resource?: unknown };
  return type === 'resource' && typeof Object(resource).text === 'string';
}

function text(said: string) {
  return { type: 'text', text: said };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
