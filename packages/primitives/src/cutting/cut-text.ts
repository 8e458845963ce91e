import { leftOut } from './left-out.ts';
import { endsOf } from './shrink-json.ts';

/**
 * The beginning and the end of a text, after a line that says how much is missing and where the whole is; another line
 * stands where it is missing. JSON in it is never cut in its middle.
 * @param keepChars how many characters of the text stay, about
 */
export function cutText(text: string, keepChars: number, uri: string): string {
  const { head, tail, left, also } = endsOf(text, keepChars, uri);
  return `${leftOut(left, text.length, uri, also)}\n${head}\n[… ${left} characters left out here …]\n${tail}`;
}
