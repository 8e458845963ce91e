import { cutEnd } from '../cut-end.ts';
import { GO_ON } from '../cutting/own-words.ts';
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
    fault: `offset and limit count the items of one list or the lines of one text, and this result has ${names === '' ? `neither alone ${where}` : `several: ${cutEnd(names, 3 * MAX_PATH_SHOWN)}`}. Name one by pick.`,
  };
}

function linesIn(whole: string, range: Range): Part {
  const { text, count, total, isAnyLong, goesOn } = linesFrom(whole, range);
  const { offset, notes, maxLineChars } = range;
  const also = [
    ...(isAnyLong ? [`, a line of more than ${maxLineChars} characters counted as several`] : []),
    ...(goesOn ? ['; the last goes on in the next'] : []),
  ].join('');
  const said =
    count === total ? notes : [...notes, sayPage('Lines', { offset, next: offset + count, total, also })];
  return { value: text, notes: said, page: { count } };
}

function itemsIn(items: readonly unknown[], { path, from, put }: Focus, range: Range): Part {
  const what = path === '' ? 'Items' : `Items of ${cutEnd(path, MAX_PATH_SHOWN)}`;
  const { kept, said } = paged(items, range, { what, charsOf: jsonChars });
  const first = range.isExact ? pathTo(path, from + range.offset) : `${path}[]`;
  const page = { count: kept.length, first: { path: first, value: kept[0] } };
  return { value: put(kept), notes: said, page };
}

type Entry = readonly [name: string, value: unknown];

function membersIn(entries: readonly Entry[], { path, put }: Focus, range: Range): Part {
  const what = path === '' ? 'Members' : `Members of ${cutEnd(path, MAX_PATH_SHOWN)}`;
  const { kept, said } = paged(entries, range, { what, charsOf: jsonChars });
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
  const what = `Items of ${cutEnd(at, MAX_PATH_SHOWN)}`;
  const { kept, said } = paged(items, { ...range, maxChars }, { what, charsOf: jsonChars });
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
  { what, charsOf }: { readonly what: string; readonly charsOf: (item: Item) => number },
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
    kept.length === all.length ? notes : [...notes, sayPage(what, { offset, next, total: all.length })];
  return { kept, said };
}

interface Said {
  readonly offset: number;
  /** Where the next page begins. */
  readonly next: number;
  readonly total: number;
  readonly also?: string | undefined;
}

/** Which of how many a page has, and where the next begins. */
export function sayPage(what: string, { offset, next, total, also = '' }: Said): string {
  if (next === offset) return `Nothing is at offset ${offset}: ${what} end at ${total}${also}.`;
  const more = next < total ? ` ${GO_ON}${next}.` : '';
  return `${what} ${offset + 1} to ${next} of ${total}${also}.${more}`;
}

/** Whether what stands around a list is the less of the two. */
function isMostOf(whole: unknown, list: unknown): boolean {
  return 2 * jsonChars(list) >= jsonChars(whole);
}

function jsonChars(value: unknown): number {
  return writtenJson(value).length;
}
