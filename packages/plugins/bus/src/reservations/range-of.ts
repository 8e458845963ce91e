/** Numbers of one range that are told apart; of more any number counts as one of it. */
const TOLD_APART = 200;

/** `{1..20}`, `{a..f}` and `{01..20..2}` of a glob as a regular expression of what a shell makes of them. */
export function rangeOf(first: string, last: string, step?: unknown): string {
  const [from, to] = [Number(first), Number(last)];
  const by = Math.abs(typeof step === 'string' ? Number(step) : 1) || 1;
  if (Number.isInteger(from) && Number.isInteger(to))
    return numbers(from, to, { by, width: widthOf(first, last) });
  const [a, b] = [first, last].sort();
  // Of a step between letters none is left out, and what is no range is any text.
  return a?.length === 1 && b?.length === 1 && /^[a-z]{2}$/i.test(a + b) ? `[${a}-${b}]` : '[^/]*';
}

function numbers(from: number, to: number, { by, width }: { by: number; width: number }): string {
  const count = Math.floor(Math.abs(to - from) / by) + 1;
  if (count > TOLD_APART) return '-?[0-9]+';
  const written = Array.from({ length: count }, (_, at) => {
    const value = from + at * by * Math.sign(to - from);
    const digits = String(Math.abs(value));
    return value < 0 ? `-${digits.padStart(width - 1, '0')}` : digits.padStart(width, '0');
  });
  return `(?:${written.join('|')})`;
}

/** Where either end is written with zeros before it, all are as long as the longer one. */
function widthOf(...ends: readonly string[]): number {
  return ends.some((end) => /^-?0\d/.test(end)) ? Math.max(...ends.map(({ length }) => length)) : 0;
}
