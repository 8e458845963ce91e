/** Lines of a text, from 1, both ends included. */
export interface Lines {
  readonly from: number;
  readonly to: number;
}

/**
 * Where a quote stands in a text, whatever became of the white space in it; of several places, the one nearest to
 * `near`.
 * @returns undefined where it does not stand there, or is too short to say anything
 */
export function findQuote(text: string, quote: string, near = 1): Lines | undefined {
  const wanted = compact(quote);
  if (wanted.length < MIN_CHARS) return undefined;
  const lines = text.split('\n').map(compact);
  const starts: number[] = [];
  let length = 0;
  for (const line of lines) {
    starts.push(length);
    length += line.length;
  }
  const whole = lines.join('');
  let best: Lines | undefined;
  let line = 0;
  for (let at = whole.indexOf(wanted); at !== -1; at = whole.indexOf(wanted, at + 1)) {
    line = lineAt(starts, at, line);
    const found = { from: line + 1, to: lineAt(starts, at + wanted.length - 1, line) + 1 };
    if (!best || Math.abs(found.from - near) < Math.abs(best.from - near)) best = found;
  }
  return best;
}

const MIN_CHARS = 3;

/** Without white space. */
export function compact(text: string): string {
  return text.replace(/\s+/g, '');
}

/** The last line that begins at or before a place. */
function lineAt(starts: readonly number[], at: number, from: number): number {
  let line = from;
  while (line + 1 < starts.length && (starts[line + 1] ?? 0) <= at) line += 1;
  return line;
}
