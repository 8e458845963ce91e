import { OWN_SENTENCES } from './cutting/own-sentences.ts';
import { isHalf } from './is-half.ts';

/**
 * The beginning of a text that is longer than so many characters, with an ellipsis beyond them. No character is
 * halved: half of a pair is no text that every host, log and store takes.
 */
export function cutEnd(text: string, maxChars: number): string {
  return text.length <= maxChars ? text : `${wholeCharacters(text, 0, maxChars)}…`;
}

/**
 * The same, with how many characters are left out.
 * @param of how many there were, where the text is itself only the beginning of what there was
 */
export function cutEndCounted(text: string, maxChars: number, of = text.length): string {
  if (Math.max(text.length, of) <= maxChars) return text;
  const begun = wholeCharacters(text, 0, maxChars);
  return begun + OWN_SENTENCES.moreCharacters(of - begun.length);
}

/**
 * Head and tail of a text that is too long, with a line between them that says what is missing. The head
 * gets two thirds: that is where results say what they are.
 * @param where said behind that, such as where the whole of it is
 */
export function cutMiddle(text: string, maxChars: number, where = ''): string {
  if (text.length <= maxChars) return text;
  const head = wholeCharacters(text, 0, Math.ceil((maxChars * 2) / 3));
  const tail = wholeCharacters(text, text.length - Math.floor(maxChars / 3), text.length);
  const missing = text.length - head.length - tail.length;
  return `${head}\n${OWN_SENTENCES.leftOutOf(missing, text.length, where)}\n${tail}`;
}

/** A slice that halves no character. */
function wholeCharacters(text: string, from: number, to: number): string {
  return text.slice(isHalf(text, from) ? from + 1 : from, isHalf(text, to) ? to - 1 : to);
}
