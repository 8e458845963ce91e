import type { DiffFile } from '../diff/parse-diff.ts';
import { placesIn, squeezed } from '../diff/side-text.ts';
import type { Claim, Place } from './finding.ts';
import { nearQuote } from './near-quote.ts';

/** Shorter ones, such as a closing brace, stand everywhere and show nothing. */
const MIN_QUOTE_CHARS = 4;

/**
 * Where in the diff a claim's quote stands, whatever its white space: at the line that was said, or at the only
 * other place. A renamed file is found by either name.
 * @returns why it has no place, where the claim was made up
 */
export function anchor({ file: named, line, quote }: Claim, files: readonly DiffFile[]): Place | string {
  const file = fileOf(named, files);
  if (!file) return `the diff has no file ${pathOf(named)}`;
  const wanted = [quote, withoutMarks(quote)].map(squeezed).filter((each) => each.length >= MIN_QUOTE_CHARS);
  if (wanted.length === 0) return 'the quote is too short to show anything';
  for (const side of ['new', 'old'] as const) {
    const places = file.hunks.flatMap((hunk) => wanted.flatMap((each) => placesIn(hunk, side, each)));
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

/** Where a claim's quote stands nearly so, at the very line that it names: a slip, and what really stands there. */
export function anchorNearly(
  { file: named, line, quote }: Claim,
  files: readonly DiffFile[],
): (Place & { readonly quote: string }) | undefined {
  const file = fileOf(named, files);
  for (const side of ['new', 'old'] as const) {
    for (const hunk of file?.hunks ?? []) {
      const near = nearQuote(hunk, side, { line, quote: withoutMarks(quote) });
      if (file && near) return { file: file.path, side, isMoved: false, ...near };
    }
  }
  return undefined;
}

const pathOf = (named: string) => named.trim().replace(/^\.\//, '');

function fileOf(named: string, files: readonly DiffFile[]): DiffFile | undefined {
  const path = pathOf(named);
  return (
    files.find((each) => each.path === path) ??
    files.find((each) => each.oldPath === path) ??
    files.find((each) => [`a/${each.oldPath ?? each.path}`, `b/${each.path}`].includes(path))
  );
}

/** Models copy the numbers and marks along, whatever they are told. */
function withoutMarks(quote: string): string {
  return quote
    .split('\n')
    .map((line) => line.replace(/^\s*\d*\s*[+-]?\s?/, ''))
    .join('\n');
}
