import { type Folded, fold } from './fold.ts';

/** Where a quote stands, in the text as it was read. */
export interface Place {
  /** In UTF-16 units, as JavaScript counts. */
  readonly start: number;
  readonly end: number;
  /** What stands there, which may be set otherwise than the quote. */
  readonly text: string;
}

export type Judged =
  | { readonly isVerbatim: true; readonly place: Place }
  | { readonly isVerbatim: false; readonly why: 'absent' | 'ambiguous'; readonly places: number };

/** A text that quotes are held against. */
export interface Readable {
  readonly text: string;
  readonly folded: Folded;
}

export function readable(text: string): Readable {
  return { text, folded: fold(text) };
}

/**
 * Looks for a quote. It is verbatim where it stands in the text at exactly one place, word for word and whole words
 * only: what is like it counts for nothing, and nothing is repaired. That says nothing of what it supports.
 */
export function findQuote({ text, folded }: Readable, quote: string): Judged {
  const sought = fold(quote);
  const places = sought.text === '' ? [] : placesOf(folded, sought);
  const [at, ...others] = places;
  if (at === undefined) return { isVerbatim: false, why: 'absent', places: 0 };
  if (others.length > 0) return { isVerbatim: false, why: 'ambiguous', places: places.length };
  const start = folded.from[at] ?? 0;
  const end = folded.to[at + sought.text.length - 1] ?? start;
  return { isVerbatim: true, place: { start, end, text: text.slice(start, end) } };
}

function placesOf(source: Folded, quote: Folded): number[] {
  const places: number[] = [];
  for (let at = source.text.indexOf(quote.text); at !== -1; at = source.text.indexOf(quote.text, at + 1)) {
    if (hasSameHyphens(source, quote, at) && isWhole(source, at, at + quote.text.length)) places.push(at);
  }
  return places;
}

/** A hyphen at a line's end may be the word's or the typesetter's; every other stands in both or in neither. */
function hasSameHyphens(source: Folded, quote: Folded, at: number): boolean {
  for (const [place, kind] of quote.hyphens) {
    if (kind === 'plain' && !source.hyphens.has(at + place)) return false;
  }
  // Few words have hyphens, and a text may have many: those of the quote's length are looked up.
  for (let place = 1; place < quote.text.length; place += 1) {
    if (source.hyphens.get(at + place) === 'plain' && !quote.hyphens.has(place)) return false;
  }
  return true;
}

const WORD = /[\p{L}\p{M}\p{N}_]/u;
const DIGIT = /\p{N}/u;
/** What changes the number that it stands before. */
const SIGN = /[-+±∓<>≤≥≪≫~≈≠=$€£¥#^/]/u;
/** What changes the number that it stands after. */
const UNIT = /[%‰°^/²³]/u;

/** Whether nothing of a word, a number or a hyphenated word is cut off: "significant" is not in "insignificant". */
function isWhole(source: Folded, start: number, end: number): boolean {
  if (source.hyphens.has(start) || source.hyphens.has(end)) return false;
  return isWholeAtStart(source.text, start) && isWholeAtEnd(source.text, end);
}

function isWholeAtStart(text: string, start: number): boolean {
  const [before, last] = [lettersBefore(text, start, 2), lettersBefore(text, start, 1)];
  const first = text.slice(start, start + 1);
  if (!isWordy(text, start)) return true;
  if (WORD.test(last)) return false;
  if (DIGIT.test(first)) {
    if (SIGN.test(last)) return false;
    if (/[.,]/.test(last) && DIGIT.test(before)) return false;
  }
  return !(/[-'/]/.test(last) && WORD.test(before));
}

function isWholeAtEnd(text: string, end: number): boolean {
  if (!isWordy(text, end - 1)) return true;
  const last = text.slice(end - 1, end);
  const next = text.slice(end, end + 1);
  const after = text.slice(end + 1, end + 2);
  if (isWordy(text, end)) return false;
  if (DIGIT.test(last)) {
    if (UNIT.test(next) || (next === ' ' && UNIT.test(after))) return false;
    if (/[.,]/.test(next) && DIGIT.test(after)) return false;
  }
  return !(/[-'/]/.test(next) && WORD.test(after));
}

/** By the character that a place is in, of whatever plane. */
function isWordy(text: string, at: number): boolean {
  const isSecondHalf = /[\udc00-\udfff]/.test(text.charAt(at));
  const point = text.codePointAt(isSecondHalf ? at - 1 : at);
  return point !== undefined && WORD.test(String.fromCodePoint(point));
}

function lettersBefore(text: string, at: number, back: number): string {
  if (at - back < 0) return '';
  return isWordy(text, at - back)
    ? DIGIT.test(text.charAt(at - back))
      ? text.charAt(at - back)
      : 'a'
    : text.charAt(at - back);
}
