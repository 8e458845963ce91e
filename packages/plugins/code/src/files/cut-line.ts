import { isHalf, OWN_SENTENCES } from '@nexus/primitives';

/** Longer lines are cut around the match, so that minified code can't fill an answer. */
export const MAX_LINE_CHARACTERS = 300;
/** What is shown before the match in a line that is cut. */
const LEAD_CHARACTERS = 60;

/** What of a line is shown, and where it stands. */
interface Place {
  /** From 1. */
  readonly line: number;
  /** In characters, from 0: what must stay visible. */
  readonly column: number;
}

/** What is left out is said, with the `lines` by which read_file goes on. */
export function cutLine(text: string, { line, column }: Place, maxChars = MAX_LINE_CHARACTERS): string {
  if (text.length <= maxChars) return text;
  const lead = Math.min(LEAD_CHARACTERS, Math.floor(maxChars / 3));
  const first = Math.max(0, Math.min(column - lead, text.length - maxChars));
  const start = isHalf(text, first) ? first + 1 : first;
  const last = first + maxChars;
  const end = isHalf(text, last) ? last - 1 : last;
  const before = start > 0 ? OWN_SENTENCES.charactersBefore(start) : '';
  const after = end < text.length ? OWN_SENTENCES.moreOfLine(text.length - end, line, end + 1) : '';
  return before + text.slice(start, end) + after;
}
