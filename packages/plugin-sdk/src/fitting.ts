import { answerRoom } from './answer-room.ts';
import type { Results } from './results.ts';

export interface Room<Item> {
  /** Of the answer: see {@link answerRoom}. */
  readonly room: number;
  /** How long the text of one is, about. */
  readonly textOf: (item: Item) => number;
  /** What else the answer says, in characters as JSON. */
  readonly beside?: number;
}

/** The first items that fit, each whole; one at least. */
export function fitting<Item>(items: readonly Item[], { room, textOf, beside = 0 }: Room<Item>): Item[] {
  let left = room - 2 * beside;
  const end = items.findIndex((item, at) => {
    left -= jsonLength(item) + 1 + textOf(item);
    return left < 0 && at > 0;
  });
  return end < 0 ? [...items] : items.slice(0, end);
}

/** The same of a tool whose text is its structure as JSON. */
export function fittingTwice<Item>(items: readonly Item[], results: Pick<Results, 'maxChars'>): Item[] {
  const room = answerRoom(results);
  return fitting(items, { room, textOf: jsonLength, beside: Math.min(BESIDE, room / 8) });
}

/**
 * How many items of each of several lists fit together, where one offset counts for all of them; one at least.
 * @param beside what else the answer says, in characters as JSON
 */
export function fittingEach(
  lists: readonly (readonly unknown[])[],
  results: Pick<Results, 'maxChars'>,
  beside: number,
): number {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  const rows = Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list.slice(at, at + 1)));
  return fitting(rows, { room: answerRoom(results), textOf: jsonLength, beside }).length;
}

/** What a list's answer says beside its items. */
const BESIDE = 500;

/** Where the next page begins; nothing at the end. */
export function nextPage(offset: number, shown: number, total: number): { readonly nextOffset?: number } {
  const nextOffset = offset + shown;
  return shown > 0 && nextOffset < total ? { nextOffset } : {};
}

/** As JSON, in characters. */
export function jsonLength(value: unknown): number {
  return JSON.stringify(value).length;
}
