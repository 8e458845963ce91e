import { isHalf } from '../is-half.ts';

/** Which pieces of a text are wanted. */
export interface LinesWanted {
  readonly offset: number;
  readonly limit: number;
  /** Of all of them together; one is given however long it is. */
  readonly maxChars: number;
  /** At least 2. A line of more is several pieces. */
  readonly maxLineChars: number;
}

/** Pieces that follow one another. */
export interface LinesFound {
  readonly text: string;
  readonly count: number;
  /** How many the text has in all. */
  readonly total: number;
  /** Whether a line is there in several pieces. */
  readonly isAnyLong: boolean;
  /** Whether the last one that was found goes on in the next. */
  readonly goesOn: boolean;
}

/**
 * Some of the pieces that joined are all of a text: its lines, each with its end, and a line of more characters than may
 * be in several, no character halved. Nothing is made of the others: they are counted.
 */
export function linesFrom(text: string, { offset, limit, maxChars, maxLineChars }: LinesWanted): LinesFound {
  let [begin, end, count, total] = [text.length, text.length, 0, 0];
  let [isAnyLong, goesOn, isFull] = [false, false, false];
  const take = (from: number, to: number, isPart: boolean) => {
    isAnyLong ||= isPart;
    if (total >= offset && count < limit && !isFull) {
      if (count === 0) begin = from;
      isFull = count > 0 && to - begin + count > maxChars;
      if (!isFull) [end, count, goesOn] = [to, count + 1, isPart];
    }
    total += 1;
  };
  for (let from = 0; from < text.length; ) {
    const newline = text.indexOf('\n', from);
    const to = newline < 0 ? text.length : newline;
    while (to - from > maxLineChars) {
      const middle = from + maxLineChars;
      const pieceEnd = isHalf(text, middle) ? middle - 1 : middle;
      take(from, pieceEnd, true);
      from = pieceEnd;
    }
    take(from, newline < 0 ? to : to + 1, false);
    from = to + 1;
  }
  return { text: text.slice(begin, end), count, total, isAnyLong, goesOn };
}
