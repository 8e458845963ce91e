import type { DiffFile, DiffLine } from '../diff/parse-diff.ts';
import type { Claim, Place } from './finding.ts';

/** Shorter ones, such as a closing brace, stand everywhere and show nothing. */
const MIN_QUOTE_CHARS = 4;

/**
 * Where in the diff a claim's quote stands, whatever its white space: at the line that was said, or at the only
 * other place. A renamed file is found by either name.
 * @returns why it has no place, where the claim was made up
 */
export function anchor({ file: named, line, quote }: Claim, files: readonly DiffFile[]): Place | string {
  const path = named.trim().replace(/^\.\//, '');
  const file =
    files.find((each) => each.path === path) ??
    files.find((each) => each.oldPath === path) ??
    files.find((each) => [`a/${each.oldPath ?? each.path}`, `b/${each.path}`].includes(path));
  if (!file) return `the diff has no file ${path}`;
  const wanted = [quote, withoutMarks(quote)].map(squeezed);
  if (Math.max(...wanted.map(({ length }) => length)) < MIN_QUOTE_CHARS)
    return 'the quote is too short to show anything';
  for (const side of ['new', 'old'] as const) {
    const places = file.hunks.flatMap((hunk) => {
      const lines = onSide(hunk, side);
      return wanted.flatMap((each) => (each === '' ? [] : placesOf(each, lines)));
    });
    const distinct = [...new Map(places.map((place) => [`${place.line}-${place.endLine}`, place])).values()];
    const there = distinct.find((place) => place.line <= line && line <= place.endLine);
    const found = there ?? (distinct.length === 1 ? distinct[0] : undefined);
    if (found) return { file: file.path, side, isMoved: !there, ...found };
    if (distinct.length > 1) {
      const lines = distinct.map((place) => place.line).join(', ');
      return `the quote stands at lines ${lines} of ${file.path}, and not at ${line}`;
    }
  }
  return `the quote does not stand in what the diff shows of ${file.path}`;
}

type Numbered = { readonly number: number; readonly text: string };

function onSide(hunk: readonly DiffLine[], side: 'new' | 'old'): Numbered[] {
  return hunk.flatMap(({ text, line, oldLine }) => {
    const number = side === 'new' ? line : oldLine;
    return number === undefined ? [] : [{ number, text }];
  });
}

/** Every run of lines that holds the text, white space aside. */
function placesOf(wanted: string, lines: readonly Numbered[]): { line: number; endLine: number }[] {
  const texts = lines.map(({ text }) => squeezed(text));
  const all = texts.join('');
  let length = 0;
  const starts = texts.map((text) => {
    length += text.length;
    return length - text.length;
  });
  const places: { line: number; endLine: number }[] = [];
  for (let at = all.indexOf(wanted); at !== -1; at = all.indexOf(wanted, at + 1)) {
    const first = lastAtMost(starts, at, texts);
    const last = lastAtMost(starts, at + wanted.length - 1, texts);
    places.push({ line: lines[first]?.number ?? 0, endLine: lines[last]?.number ?? 0 });
  }
  return places;
}

/** The line that holds the character. */
function lastAtMost(starts: readonly number[], at: number, texts: readonly string[]): number {
  return starts.findLastIndex((start, index) => start <= at && (texts[index]?.length ?? 0) > 0);
}

const squeezed = (text: string) => text.replace(/\s+/g, '');

/** Models copy the numbers and marks along, whatever they are told. */
function withoutMarks(quote: string): string {
  return quote
    .split('\n')
    .map((line) => line.replace(/^\s*\d*\s*[+-]?\s?/, ''))
    .join('\n');
}
