import type { DiffLine } from './parse-diff.ts';

export type Side = 'new' | 'old';

/** One side of a hunk as one text without white space, so that a quote is found whatever its layout. */
interface SideText {
  readonly text: string;
  /** Of each line that holds a character: where it begins in the text, and its number in the file. */
  readonly starts: readonly number[];
  readonly numbers: readonly number[];
}

/** A quote that stands more often shows no place. */
const MAX_PLACES = 20;

/** A large diff is looked through for every claim. */
const known = new WeakMap<readonly DiffLine[], Partial<Record<Side, SideText>>>();

/** The runs of lines that hold a text, which is given without white space; the first ones. */
export function placesIn(
  hunk: readonly DiffLine[],
  side: Side,
  wanted: string,
): { readonly line: number; readonly endLine: number }[] {
  const { text, starts, numbers } = sideText(hunk, side);
  const places: { line: number; endLine: number }[] = [];
  for (let at = text.indexOf(wanted); at !== -1 && places.length < MAX_PLACES; ) {
    const first = lineAt(starts, at);
    const last = lineAt(starts, at + wanted.length - 1);
    places.push({ line: numbers[first] ?? 0, endLine: numbers[last] ?? 0 });
    // Once a line is enough.
    at = text.indexOf(wanted, starts[first + 1] ?? text.length);
  }
  return places;
}

export const squeezed = (text: string) => text.replace(/\s+/g, '');

function sideText(hunk: readonly DiffLine[], side: Side): SideText {
  const sides = known.get(hunk) ?? {};
  known.set(hunk, sides);
  const made = sides[side] ?? makeSideText(hunk, side);
  sides[side] = made;
  return made;
}

function makeSideText(hunk: readonly DiffLine[], side: Side): SideText {
  const parts: string[] = [];
  const starts: number[] = [];
  const numbers: number[] = [];
  let length = 0;
  for (const { text, line, oldLine } of hunk) {
    const number = side === 'new' ? line : oldLine;
    const part = squeezed(text);
    if (number === undefined || part === '') continue;
    parts.push(part);
    starts.push(length);
    numbers.push(number);
    length += part.length;
  }
  return { text: parts.join(''), starts, numbers };
}

/** The last line that begins at or before a character. */
function lineAt(starts: readonly number[], at: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((starts[middle] ?? 0) <= at) low = middle;
    else high = middle - 1;
  }
  return low;
}
