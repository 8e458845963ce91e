import { OWN_SENTENCES } from '../cutting/own-sentences.ts';
import { boundsFault, MAX_DEPTH } from '../json-bounds.ts';
import { isJsonSoFar } from '../json-so-far.ts';
import { focusOf, isExact } from './focus.ts';
import { nowhere } from './nowhere.ts';
import { partIn, type Range } from './part-in.ts';
import { pathFault, pick } from './pick.ts';
import { mayBeJson } from './whole-of.ts';

/** Which part of a result is wanted. */
export interface PartWanted {
  /** Paths into it, as `pick` reads them; none is all of it. */
  readonly paths: readonly string[];
  /** Items of its one list, lines of its one text, or members of a large object, that are skipped; at whatever depth. */
  readonly offset?: number | undefined;
  /** Of these at most. */
  readonly limit?: number | undefined;
  /** Of these no more than have so many characters together; one at least. */
  readonly maxChars?: number | undefined;
  /** A line of more characters is counted as several, so that offset and limit lead through any text; 10 000 at most. */
  readonly maxLineChars?: number;
}

/** The part, or why there is none. */
export type Part =
  | {
      readonly value: unknown;
      readonly notes: readonly string[];
      /** Where not all of it was wanted, what of it is there. */
      readonly page?: Page;
    }
  | { readonly fault: string };

/** Items, lines or members that follow one another. */
export interface Page {
  readonly count: number;
  /** The first of them, by the path that gives it alone; a line has none. */
  readonly first?: { readonly path: string; readonly value: unknown };
}

const MAX_LINE_CHARS = 10_000;

/**
 * A part of a result by paths and then by range; what is left out of a list or a text is said, with how to go on. Parts of
 * a text from one offset to the next are all of it.
 */
export function partOf(result: unknown, wanted: PartWanted): Part {
  const { paths } = wanted;
  const wrong = pathFault(paths);
  if (wrong !== undefined) return { fault: wrong };
  const notes: string[] = [];
  let value = result;
  if (paths.length > 0) {
    if (typeof result === 'string') {
      return {
        fault: OWN_SENTENCES.noPathInto(unreadable(result)),
      };
    }
    const picked = pick(result, paths);
    if (picked.nowhere.length > 0) notes.push(nowhere(picked.nowhere, result));
    if (picked.value === undefined) return { fault: notes.join(' ') };
    value = picked.value;
  }
  const range = rangeOf(wanted);
  return range ? partIn(focusOf(value, paths), { ...range, notes }) : { value, notes };
}

/** @returns undefined where all of it is wanted, however much that is */
export function rangeOf(wanted: PartWanted): Omit<Range, 'notes'> | undefined {
  const { paths, offset, limit, maxChars, maxLineChars = MAX_LINE_CHARS } = wanted;
  if (offset === undefined && limit === undefined && maxChars === undefined) return undefined;
  return {
    offset: offset ?? 0,
    limit: limit ?? Number.POSITIVE_INFINITY,
    maxChars: maxChars ?? Number.POSITIVE_INFINITY,
    maxLineChars: Math.min(maxLineChars, MAX_LINE_CHARS),
    isExact: isExact(paths),
  };
}

function unreadable(text: string): string {
  const isJson = mayBeJson(text) && isJsonSoFar(text, MAX_DEPTH);
  const fault = isJson ? boundsFault(text) : undefined;
  return fault === undefined ? 'The result is text without members' : `The result is JSON that ${fault}`;
}
