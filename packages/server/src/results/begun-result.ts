import type { ToolCallResult } from '@nexus/plugin-sdk';
import { begunAnswer, begunText, shareOut, UNKEPT } from '@nexus/primitives';
import type { KeptText } from './kept-results.ts';
import type { ResultLimit } from './limit-result.ts';
import { textOf } from './shown-blocks.ts';

/** What says how much of a text is missing and where it is, and some of it. */
const LEAST_TEXT_CHARS = 300;

/**
 * What fits of an answer of Nexus's own: its structure with the first items of its lists and the beginnings of its texts,
 * saying itself what it has less of and where the whole is, and as text the very same, or whole lines of a text of its
 * own. Both are kept whole.
 * @param maxChars of text and structure together
 * @returns undefined where there is no structure, or none so short that keeps its schema
 */
export function begunResult(
  result: ToolCallResult,
  limit: ResultLimit,
  maxChars: number,
): { readonly result: ToolCallResult; readonly kept: readonly KeptText[] } | undefined {
  const { structuredContent: structure, content } = result;
  const [first, ...others] = content;
  if (structure === undefined || first?.type !== 'text') return undefined;
  const json = JSON.stringify(structure);
  const text = textOf(first);
  const isSame = text === json;
  const room = maxChars - others.reduce((sum, block) => sum + textOf(block).length, 0);
  const [, share = 0] = isSame ? [0, room / 2] : shareOut([text.length, json.length], room);
  const forms = json.length <= share ? [structure] : begunAnswer(structure, share, UNKEPT);
  // A structure has all of its members, and takes from the text what it needs for that.
  const leavesRoom = (form: object) => {
    const { length } = JSON.stringify(form);
    return room - length >= (isSame ? length : Math.min(text.length, LEAST_TEXT_CHARS));
  };
  const shown = forms.find(
    (form) => leavesRoom(form) && (form === structure || limit.fitsSchema(form) !== false),
  );
  if (shown === undefined) return undefined;
  const ofText = room - JSON.stringify(shown).length;

  const kept: KeptText[] = [];
  const keep = (whole: string, mimeType: string) => {
    const each = limit.keep({ text: whole, mimeType });
    kept.push(each);
    return each.uri;
  };
  const structuredContent =
    shown !== structure ? { ...shown, whole: keep(json, 'application/json') } : structure;
  const textOfIt = isSame
    ? JSON.stringify(structuredContent)
    : text.length <= ofText
      ? text
      : begunText(text, ofText, keep(text, 'text/plain'));
  return {
    result: { ...result, content: [{ ...first, text: textOfIt }, ...others], structuredContent },
    kept,
  };
}
