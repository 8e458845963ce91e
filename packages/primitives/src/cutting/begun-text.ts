import { jsonBlocks } from './json-blocks.ts';
import { leftOut } from './left-out.ts';
import { OWN_SENTENCES } from './own-sentences.ts';
import { endsOf } from './shrink-json.ts';
import { within } from './within.ts';

const FENCE = /^```/gm;

/**
 * A text of Nexus's own that is longer than any host shows: whole lines of its beginning and its end, after one that says
 * how much is missing and where the whole is. What it fenced is closed where it is left out.
 * @param maxChars of all of it, where that holds what is said
 */
export function begunText(text: string, maxChars: number, uri: string): string {
  const blocks = jsonBlocks(text);
  return within(maxChars, (room) => {
    const ends = endsOf(text, room, { uri, blocks });
    const head = wholeLines(text, ends.head);
    const tail = wholeLastLines(text, ends.tail);
    const left = Math.max(0, text.length - head.length - tail.length);
    const shown = [closed(head), OWN_SENTENCES.leftOutHere(left), ...(tail === '' ? [] : [opened(tail)])];
    return [leftOut(left, text.length, uri, ends.also), ...shown].join('\n');
  });
}

/** A head that is no beginning of the text ends in JSON that was cut by its shape. */
function wholeLines(text: string, head: string): string {
  if (!text.startsWith(head) || text[head.length] === '\n') return head;
  const end = head.lastIndexOf('\n');
  return end < 0 ? head : head.slice(0, end);
}

function wholeLastLines(text: string, tail: string): string {
  if (text[text.length - tail.length - 1] === '\n') return tail;
  const end = tail.indexOf('\n');
  return end < 0 ? '' : tail.slice(end + 1);
}

function closed(head: string): string {
  return isOdd(head) ? `${head}\n\`\`\`` : head;
}

function opened(tail: string): string {
  return isOdd(tail) ? `\`\`\`\n${tail}` : tail;
}

function isOdd(text: string): boolean {
  return (text.match(FENCE)?.length ?? 0) % 2 === 1;
}
