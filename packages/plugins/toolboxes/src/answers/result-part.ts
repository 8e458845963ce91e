import type { ToolCallResult } from '@nexus/plugin-sdk';
import { type PartWanted, partOf, roundedNumbers, writtenText, writtenWholeOf } from '@nexus/primitives';

/**
 * A part of a tool's result in the place of all of it: as JSON, or lines where it is text, after what is said of what
 * was left out. A result without such a part is answered as it is with why, since its call can't be taken back; one that
 * is an error stays as it is.
 */
export function resultPart(result: ToolCallResult, wanted: PartWanted): ToolCallResult {
  if (result.isError) return result;
  const whole = writtenWholeOf(result);
  const part =
    whole === undefined
      ? { fault: 'The result is neither JSON nor one text, so no part of it can be named.' }
      : partOf(whole, wanted);
  if ('fault' in part) {
    return { ...result, content: [text(`${part.fault} So no part was taken.`), ...result.content] };
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
