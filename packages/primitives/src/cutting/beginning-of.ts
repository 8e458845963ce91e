import { writtenJson } from '../written-json.ts';
import { cutJson } from './cut-json.ts';
import { fewerText } from './fewer.ts';
import { firstCharacters } from './first-characters.ts';
import { jsonBlocks } from './json-blocks.ts';
import { shrinkJson } from './shrink-json.ts';
import { within } from './within.ts';

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
  // What is said twice costs more than that where much of it has to be escaped.
  const first = (left: number) => (isSaidTwice ? left / 2.5 : left);
  const json = cutJson(text, room, uri, { cost, first: first(room) });
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
    const shaped = (left: number) => before + shapeOf(block.value, { left, room, uri });
    return { text: within(room, shaped, { cost, first: first(Math.max(0, room - cost(before))) }) };
  }
  if (end > 0) return { text: text.slice(0, end).replace(/\n$/, ''), ...(hasLong ? {} : { lines }) };
  return { text: firstCharacters(text, room, cost) };
}

/** JSON by its shape, with what it has fewer of. */
function shapeOf(value: unknown, { left, room, uri }: Room & { readonly left: number }): string {
  const shown = shrinkJson(value, left, uri);
  const fewer = fewerText(value, shown, { room: room / 4 });
  return `${writtenJson(shown)}${fewer === undefined ? '' : `\n[… it has here ${fewer} …]`}`;
}

function lineEnd(text: string, at: number): number {
  const newline = text.indexOf('\n', at);
  return newline < 0 ? text.length : newline;
}
