import { isDeepStrictEqual } from 'node:util';
import { cutEnd } from '../cut-end.ts';
import { boundsFault } from '../json-bounds.ts';
import { isWritten, mayWriteOtherwise, parseWritten } from '../written-json.ts';
import { type Focus, focusOf, pathTo } from './focus.ts';
import { pathFault, pick } from './pick.ts';

/** Which part of a result is wanted. */
export interface PartWanted {
  /** Paths into it, as `pick` reads them; none is all of it. */
  readonly paths: readonly string[];
  /** Items of its one list, lines of its one text, or members of a large object, that are skipped; at whatever depth. */
  readonly offset?: number | undefined;
  /** Of these at most. */
  readonly limit?: number | undefined;
  /** A line of more characters is counted as several, so that offset and limit lead through any text; 10 000 at most. */
  readonly maxLineChars?: number;
}

/** The part, or why there is none. */
export type Part =
  | { readonly value: unknown; readonly notes: readonly string[] }
  | { readonly fault: string };

function mayBeJson(text: string): boolean {
  const first = text.trimStart()[0];
  return first === '{' || first === '[';
}

/** What a text says: its JSON, where it is an object or a list of that, or the text itself. */
export function readResult(text: string): unknown {
  if (!mayBeJson(text) || boundsFault(text) !== undefined) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/**
 * The texts of a result's blocks, to be shown under one another: JSON that its server split between blocks is one text
 * again. Any other blocks are apart, which a text joined by nothing would not show.
 */
export function joinSplitJson(texts: readonly string[]): readonly string[] {
  const [first, second] = texts;
  if (first === undefined || second === undefined || !/^\s*[[{]/.test(first)) return texts;
  if (typeof readResult(first) !== 'string') return texts;
  const whole = texts.join('');
  return typeof readResult(whole) === 'string' ? texts : [whole];
}

/**
 * What a tool's result says, to take parts of or to look at: its structure, or what its only text says; undefined where
 * it has neither. A structure that only holds that text, as servers have it that answer a text under a schema, is read
 * for what the text says, where that is JSON.
 */
export function wholeOf({ content, structuredContent }: AnyResult): unknown {
  const only = onlyText(content);
  if (only === undefined) return structuredContent;
  if (structuredContent === undefined) return readResult(only);
  if (!holdsOnly(structuredContent, only)) return structuredContent;
  const said = readResult(only);
  return typeof said === 'string' ? structuredContent : said;
}

/** The same, in which each number keeps how it was written, as far as a text of the result says it: see `parseWritten`. */
export function writtenWholeOf(result: AnyResult): unknown {
  const whole = wholeOf(result);
  const text = onlyText(result.content);
  if (text === undefined || typeof whole === 'string' || !mayWriteOtherwise(text)) return whole;
  const plain = readResult(text);
  return typeof plain !== 'string' && isDeepStrictEqual(plain, whole) ? parseWritten(text) : whole;
}

function onlyText(content: unknown): string | undefined {
  const blocks = Array.isArray(content) ? content.filter(isText) : [];
  const [only, other] = joinSplitJson(blocks.map(({ text }) => text));
  return other === undefined ? only : undefined;
}

function holdsOnly(structure: unknown, text: string): boolean {
  const members = typeof structure === 'object' && structure !== null ? Object.values(structure) : [];
  return members.length === 1 && members[0] === text;
}

/** As another server sent it. */
interface AnyResult {
  readonly content?: unknown;
  readonly structuredContent?: unknown;
}

function isText(block: unknown): block is { readonly text: string } {
  const { type, text } = Object(block) as { readonly type?: unknown; readonly text?: unknown };
  return type === 'text' && typeof text === 'string';
}

/** A part of a result by paths and then by range; what is left out of a list or a text is said, with how to go on. */
export function partOf(
  result: unknown,
  { paths, offset, limit, maxLineChars = MAX_LINE_CHARS }: PartWanted,
): Part {
  const wrong = pathFault(paths);
  if (wrong !== undefined) return { fault: wrong };
  const notes: string[] = [];
  let value = result;
  if (paths.length > 0) {
    if (typeof result === 'string') {
      return {
        fault: `${unreadable(result)}, so no path leads into it; take lines of it by offset and limit.`,
      };
    }
    const picked = pick(result, paths);
    if (picked.nowhere.length > 0) notes.push(nowhere(picked.nowhere, result));
    if (picked.value === undefined) return { fault: notes.join(' ') };
    value = picked.value;
  }
  if (offset === undefined && limit === undefined) return { value, notes };
  return ranged(focusOf(value, paths), {
    offset: offset ?? 0,
    limit: limit ?? Number.POSITIVE_INFINITY,
    maxLineChars: Math.min(maxLineChars, MAX_LINE_CHARS),
    notes,
  });
}

function unreadable(text: string): string {
  const fault = mayBeJson(text) ? boundsFault(text) : undefined;
  return fault === undefined ? 'The result is text without members' : `The result is JSON that ${fault}`;
}

interface Range {
  readonly offset: number;
  readonly limit: number;
  readonly maxLineChars: number;
  readonly notes: readonly string[];
}

function ranged({ path: whole, value, put }: Focus, { offset, limit, maxLineChars, notes }: Range): Part {
  const path = cutEnd(whole, MAX_PATH_SHOWN);
  const slice = <Item>(all: readonly Item[], what: string, also = '') => {
    const kept = all.slice(offset, offset + limit);
    const next = offset + kept.length;
    const more = kept.length > 0 && next < all.length ? ` Go on with offset ${next}.` : '';
    const isWhole = kept.length === all.length;
    const said =
      kept.length === 0
        ? `Nothing is at offset ${offset}: ${what} end at ${all.length}${also}.`
        : `${what} ${offset + 1} to ${next} of ${all.length}${also}.${more}`;
    return { kept, notes: isWhole ? notes : [...notes, said] };
  };
  if (typeof value === 'string' && !isWritten(value)) {
    const lines = linesOf(value, maxLineChars);
    const hasLong = lines.some(({ goesOn }) => goesOn);
    const also = hasLong ? `, a line of more than ${maxLineChars} characters counted as several` : '';
    const { kept, notes: said } = slice(lines, 'Lines', also);
    const text = kept.map((line) => (line.goesOn ? line.text : `${line.text}\n`)).join('');
    return { value: kept.at(-1)?.goesOn === false ? text.slice(0, -1) : text, notes: said };
  }
  if (Array.isArray(value)) {
    const { kept, notes: said } = slice(value, path === '' ? 'Items' : `Items of ${path}`);
    return { value: put(kept), notes: said };
  }
  const entries = Object.entries(Object(value));
  const lists = entries.filter(([, each]) => Array.isArray(each));
  const [only, other] = lists;
  const isMap = !isWritten(value) && entries.length > MAX_NAMES;
  if (isMap && (!only || other || !isMostOf(value, only[1]))) {
    const { kept, notes: said } = slice(entries, path === '' ? 'Members' : `Members of ${path}`);
    return { value: put(Object.fromEntries(kept)), notes: said };
  }
  if (!only || other) {
    const where = path === '' ? 'at its top' : `in ${JSON.stringify(path)}`;
    const names = lists.map(([name]) => pathTo(path, name)).join(', ');
    return {
      fault: `offset and limit count the items of one list or the lines of one text, and this result has ${names === '' ? `neither alone ${where}` : `several: ${names}`}. Name one by pick.`,
    };
  }
  const [name, list] = only;
  const { kept, notes: said } = slice(list as unknown[], `Items of ${pathTo(path, name)}`);
  return {
    value: put(Object.fromEntries(entries.map(([key, each]) => [key, key === name ? kept : each]))),
    notes: said,
  };
}

/** Whether what stands around a list is the less of the two. */
function isMostOf(whole: unknown, list: unknown): boolean {
  return 2 * JSON.stringify(list).length >= JSON.stringify(whole).length;
}

const MAX_PATH_SHOWN = 500;

const MAX_LINE_CHARS = 10_000;

interface Line {
  readonly text: string;
  /** Whether the same line goes on in the next. */
  readonly goesOn: boolean;
}

function linesOf(text: string, maxLineChars: number): Line[] {
  return text.split('\n').flatMap((line) => {
    const pieces: Line[] = [];
    let rest = line;
    while (rest.length > maxLineChars) {
      const begun = cutEnd(rest, maxLineChars).slice(0, -1);
      pieces.push({ text: begun, goesOn: true });
      rest = rest.slice(begun.length);
    }
    return [...pieces, { text: rest, goesOn: false }];
  });
}

const MAX_NAMES = 20;
const MAX_NAME_CHARS = 60;

function nowhere(paths: readonly string[], result: unknown): string {
  const byPlace = new Map<string, { of: unknown; missed: string[] }>();
  for (const path of paths) {
    const { at, of } = reached(path, result);
    const known = byPlace.get(at) ?? { of, missed: [] };
    byPlace.set(at, known);
    known.missed.push(JSON.stringify(path));
  }
  return [...byPlace]
    .map(([at, { of, missed }]) => `Nothing is at ${missed.join(', ')}${membersAt(at, of)}.`)
    .join(' ');
}

/** How far a path leads: the last place on it that is there, of a list its first item. */
function reached(path: string, result: unknown): { at: string; of: unknown } {
  let found = { at: '', of: result };
  for (const [step] of path.matchAll(/\.?[^.[\]]+|\[\d*\]/g)) {
    const { at, of } = found;
    const key = step.startsWith('[') ? step.slice(1, -1) || '0' : step.replace(/^\./, '');
    const next = Object.hasOwn(Object(of), key) ? (of as Readonly<Record<string, unknown>>)[key] : undefined;
    if (typeof next !== 'object' || next === null) break;
    found = { at: `${at}${step}`, of: next };
  }
  return found;
}

function membersAt(at: string, of: unknown): string {
  const place = JSON.stringify(at);
  const [has, itemsHave] =
    at === '' ? ['it has', 'its items have'] : [`${place} has`, `the items of ${place} have`];
  const [object, which] = Array.isArray(of)
    ? [(of as unknown[])[0], itemsHave]
    : [of, at === '[]' ? 'its items have' : has];
  const names = typeof object === 'object' && object !== null ? Object.keys(object) : [];
  const short = names.slice(0, MAX_NAMES).map((name) => JSON.stringify(name.slice(0, MAX_NAME_CHARS)));
  const rest = names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : '';
  return short.length === 0 ? '' : `; ${which} ${short.join(', ')}${rest}`;
}
