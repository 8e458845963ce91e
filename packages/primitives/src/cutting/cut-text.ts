import { jsonBlocks } from './json-blocks.ts';
import { leftOut } from './left-out.ts';
import { OWN_SENTENCES } from './own-sentences.ts';
import { endsOf } from './shrink-json.ts';
import { within } from './within.ts';

/**
 * The beginning and the end of a text, after a line that says how much is missing and where the whole is; another line
 * stands where it is missing. JSON in it is never cut in its middle.
 * @param maxChars of all of it, where that holds what is said
 */
export function cutText(text: string, maxChars: number, uri: string): string {
  const blocks = jsonBlocks(text);
  return within(maxChars, (room) => {
    const { head, tail, left, also } = endsOf(text, room, { uri, blocks });
    return `${leftOut(left, text.length, uri, also)}\n${head}\n${OWN_SENTENCES.leftOutHere(left)}\n${tail}`;
  });
}
