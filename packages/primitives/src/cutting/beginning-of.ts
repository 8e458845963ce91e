import { writtenJson } from '../written-json.ts';
import { cutJson } from './cut-json.ts';
import { fewerText } from './fewer.ts';
import { firstCharacters } from './first-characters.ts';
import { jsonBlocks } from './json-blocks.ts';
import { shrinkJson } from './shrink-json.ts';

interface Room {
  /** In characters. */
  readonly room: number;
  /** Whether the same stands in the structure too, as JSON. */
  readonly isSaidTwice?: boolean;
  /** Where the whole is. */
  readonly uri: string;
}

export interface Beginning {
  readonly text: string;
  /** How many whole lines that is, where the text goes on after them, and none of them is so long as to count for several. */
  readonly lines?: number;
}

/** The first lines of a text, each whole. JSON in it is whole or cut by its shape, which is said; of a first line that is too long, its beginning. */
export function beginningOf(text: string, { room, isSaidTwice, uri }: Room): Beginning {
  const cost = (part: string) => part.length + (isSaidTwice ? JSON.stringify(part).length : 0);
  const json = cutJson(text, isSaidTwice ? room / 2.5 : room, uri);
  if (json !== undefined) return { text: json };
  let end = 0;
  let lines = 0;
  let left = room;
  let hasLong = false;
  while (end < text.length) {
    const newline = text.indexOf('\n', end);
    const next = newline < 0 ? text.length : newline + 1;
    const after = left - cost(text.slice(end, next));
    if (after < 0) break;
    hasLong ||= next - end > room / 5;
    [left, end, lines] = [after, next, lines + 1];
  }
  const blocks = jsonBlocks(text);
  const block = blocks.find(({ from, to }) => from < lineEnd(text, end) && end < to);
  if (block) {
    const before = text.slice(0, block.from);
    const rest = Math.max(0, room - cost(before)) / (isSaidTwice ? 2.5 : 1);
    const shown = shrinkJson(block.value, rest, uri);
    const fewer = fewerText(block.value, shown);
    const note = fewer === undefined ? '' : `\n[… it has here ${fewer} …]`;
    return { text: `${before}${writtenJson(shown)}${note}` };
  }
  if (end > 0) return { text: text.slice(0, end).replace(/\n$/, ''), ...(hasLong ? {} : { lines }) };
  return { text: firstCharacters(text, room, cost) };
}

function lineEnd(text: string, at: number): number {
  const newline = text.indexOf('\n', at);
  return newline < 0 ? text.length : newline;
}
