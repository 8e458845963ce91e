import type { Results } from './results.ts';

/** What a model gets of one answer at most: in the place of more, it is told how to go on. */
const MAX_TEXT_CHARACTERS = 22_000;
/** What of a host's limit an answer takes: beside it stand notes, and what was read of the arguments. */
const SHARE = 0.88;

/** Characters that an answer of text alone may have, so that nothing behind its tool cuts it in its middle. */
export function textRoom({ maxChars }: Pick<Results, 'maxChars'>): number {
  return Math.min(MAX_TEXT_CHARACTERS, Math.floor(SHARE * maxChars));
}

/** Of a line of text, which counts for several where it is longer: two of them have room, whatever tool reads it. */
export function maxLineChars(results: Pick<Results, 'maxChars'>): number {
  return Math.floor(textRoom(results) / 2);
}

/**
 * The same of text and structure together. An item says more as JSON than as text, so its text stays below
 * {@link textRoom}.
 */
export function answerRoom({ maxChars }: Pick<Results, 'maxChars'>): number {
  return Math.min(2 * MAX_TEXT_CHARACTERS, Math.floor(SHARE * maxChars));
}
