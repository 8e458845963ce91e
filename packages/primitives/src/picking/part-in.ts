import { cutEnd } from '../cut-end.ts';
import { OWN_SENTENCES } from '../cutting/own-sentences.ts';
import { isWritten, writtenJson } from '../written-json.ts';
import { type Focus, pathTo } from './focus.ts';
import { linesFrom } from './lines.ts';
import type { Part } from './part-of.ts';

/** Which of the items, lines or members that a focus has. */
export interface Range {
  readonly offset: number;
  readonly limit: number;
  /** Of their JSON, or their text; one is given however long it is. */
  readonly maxChars: number;
  readonly maxLineChars: number;
  /** What is said besides. */
  readonly notes: readonly string[];
  /** Whether one path leads here, so that a place in it is one in the whole. */
  readonly isExact: boolean;
}

/** An object of more members, without a list that is most of it, is read by these. */
const MAX_NAMES = 20;

const MAX_PATH_SHOWN = 200;

/** As much of a focus as is wanted, or has room, in what stands around it; what is left out is said, with how to go on. */
export function partIn(focus: Focus, range: Range): Part {
  const { value } = focus;
  if (typeof value === 'string' && !isWritten(value)) return linesIn(value, range);
  if (Array.isArray(value)) return itemsIn(value, focus, range);
  const entries = Object.entries(Object(value));
  const lists = entries.filter(([, each]) => Array.isArray(each));
  const [only, other] = lists;
  const isMap = !isWritten(value) && entries.length > MAX_NAMES;
  if (isMap && (!only || other || !isMostOf(value, only[1]))) return membersIn(entries, focus, range);
  if (only && !other) return listIn(only[0], focus, range);
  const shown = cutEnd(focus.path, MAX_PATH_SHOWN);
  const where = shown === '' ? 'at its top' : `in ${JSON.stringify(shown)}`;
  const names = lists.map(([name]) => cutEnd(pathTo(shown, name), MAX_PATH_SHOWN)).join(', ');
  return {
    fault: OWN_SENTENCES.namesNone(
      names === '' ? `neither alone ${where}` : `several: ${cutEnd(names, 3 * MAX_PATH_SHOWN)}`,
    ),
  };
}

function linesIn(whole: string, range: Range): Part {
  const { text, count, total, isAnyLong, goesOn } = linesFrom(whole, range);
  const { offset, notes, maxLineChars } = range;
  const also = [
    ...(isAnyLong ? [OWN_SENTENCES.longLines(maxLineChars)] : []),
    ...(goesOn ? [OWN_SENTENCES.lastLineGoesOn()] : []),
  ].join('');
  const said =
    count === total ? notes : [...notes, sayPage('lines', { offset, next: offset + count, total, also })];
  return { value: text, notes: said, page: { count } };
}

function itemsIn(items: readonly unknown[], { path, from, put }: Focus, range: Range): Part {
  const { kept, said } = paged(items, range, { what: 'items', path, charsOf: jsonChars });
  const first = range.isExact ? pathTo(path, from + range.offset) : `${path}[]`;
  const page = { count: kept.length, first: { path: first, value: kept[0] } };
  return { value: put(kept), notes: said, page };
}

type Entry = readonly [name: string, value: unknown];

function membersIn(entries: readonly Entry[], { path, put }: Focus, range: Range): Part {
  const { kept, said } = paged(entries, range, { what: 'members', path, charsOf: jsonChars });
  const [name = '', value] = kept[0] ?? [];
  const place = range.isExact ? range.offset : undefined;
  const page = { count: kept.length, first: { path: pathTo(path, name, place), value } };
  return { value: put(Object.fromEntries(kept)), notes: said, page };
}

/** The one list that an object has, with what stands beside it. */
function listIn(name: string, { path, value, put }: Focus, range: Range): Part {
  const whole = value as Readonly<Record<string, unknown>>;
  const items = whole[name] as readonly unknown[];
  const place = range.isExact ? Object.keys(whole).indexOf(name) : undefined;
  const at = pathTo(path, name, place);
  const beside = jsonChars({ ...whole, [name]: [] });
  const maxChars = range.maxChars - beside;
  const { kept, said } = paged(
    items,
    { ...range, maxChars },
    { what: 'items', path: at, charsOf: jsonChars },
  );
  const shown = Object.fromEntries(
    Object.entries(whole).map(([key, each]) => [key, key === name ? kept : each]),
  );
  const first =
    beside > jsonChars(kept[0] ?? null)
      ? { path, value: shown }
      : { path: range.isExact ? pathTo(at, range.offset) : `${at}[]`, value: kept[0] };
  return { value: put(shown), notes: said, page: { count: kept.length, first } };
}

/** So many from an offset on as are wanted and have room, one at least. */
function paged<Item>(
  all: readonly Item[],
  { offset, limit, maxChars, notes }: Range,
  {
    charsOf,
    ...of
  }: { readonly what: Pages; readonly path: string; readonly charsOf: (item: Item) => number },
) {
  const wanted = all.slice(offset, offset + limit);
  let left = maxChars;
  const end = wanted.findIndex((item, at) => {
    left -= left === Number.POSITIVE_INFINITY ? 0 : charsOf(item) + 1;
    return left < 0 && at > 0;
  });
  const kept = end < 0 ? wanted : wanted.slice(0, end);
  const next = offset + kept.length;
  const said =
    kept.length === all.length
      ? notes
      : [...notes, sayPage(of.what, { ...of, offset, next, total: all.length })];
  return { kept, said };
}

/** What a page has. */
type Pages = 'items' | 'lines' | 'members';

interface Said {
  readonly offset: number;
  /** Where the next page begins. */
  readonly next: number;
  readonly total: number;
  /** Of what they are; of all of it where that is empty. */
  readonly path?: string;
  readonly also?: string | undefined;
}

/** Which of how many a page has, and where the next begins. */
export function sayPage(what: Pages, { offset, next, total, path = '', also = '' }: Said): string {
  const of = path === '' ? '' : ` of ${cutEnd(path, MAX_PATH_SHOWN)}`;
  if (next === offset)
    return `${OWN_SENTENCES.nothingAtOffset(offset)}the ${what}${of} end at ${total}${also}.`;
  const more = next < total ? ` ${OWN_SENTENCES.goOnWithOffset(next)}` : '';
  return `${OWN_SENTENCES[what](offset + 1, next, total)}${of}${also}.${more}`;
}

/** Whether what stands around a list is the less of the two. */
function isMostOf(whole: unknown, list: unknown): boolean {
  return 2 * jsonChars(list) >= jsonChars(whole);
}

function jsonChars(value: unknown): number {
  return writtenJson(value).length;
}
