import type { DiffLine } from '../diff/parse-diff.ts';
import { type Side, squeezed } from '../diff/side-text.ts';

/** The lines that a claim names, where they say nearly what it quotes. */
export interface NearQuote {
  readonly line: number;
  readonly endLine: number;
  /** What really stands there. */
  readonly quote: string;
}

/** A quarter of a quote may be otherwise: then it is a slip of who copied it, and no other line. */
const MAX_SHARE = 0.25;
/** Of shorter ones a quarter is a word. */
const MIN_CHARS = 8;
const MAX_CHARS = 400;
const MAX_THERE_CHARS = 1_000;

/** Where a quote stands nearly so at the very line that its claim names; undefined where it is another text. */
export function nearQuote(
  hunk: readonly DiffLine[],
  side: Side,
  { line, quote }: { readonly line: number; readonly quote: string },
): NearQuote | undefined {
  const wanted = squeezed(quote);
  if (wanted.length < MIN_CHARS || wanted.length > MAX_CHARS) return undefined;
  const numberOf = (each: DiffLine) => (side === 'new' ? each.line : each.oldLine);
  const start = hunk.findIndex((each) => numberOf(each) === line);
  if (start === -1) return undefined;
  const count = quote.split('\n').filter((each) => each.trim() !== '').length;
  const there = hunk
    .slice(start)
    .filter((each) => numberOf(each) !== undefined)
    .slice(0, count);
  const last = there.at(-1);
  const text = there.map((each) => each.text).join('\n');
  const real = squeezed(text);
  if (real.length < MIN_CHARS || real.length > MAX_THERE_CHARS) return undefined;
  if (leastEdits(wanted, real) > wanted.length * MAX_SHARE) return undefined;
  return { line, endLine: (last && numberOf(last)) ?? line, quote: text.trim() };
}

/** The fewest characters to put in, leave out or change until a text is a part of another. */
function leastEdits(wanted: string, text: string): number {
  // Any part may begin anywhere, at no cost.
  let row = new Array<number>(text.length + 1).fill(0);
  for (let at = 1; at <= wanted.length; at += 1) {
    const next = [at];
    for (let to = 1; to <= text.length; to += 1) {
      const same = (row[to - 1] ?? 0) + (wanted[at - 1] === text[to - 1] ? 0 : 1);
      next.push(Math.min(same, (row[to] ?? 0) + 1, (next[to - 1] ?? 0) + 1));
    }
    row = next;
  }
  return Math.min(...row);
}
