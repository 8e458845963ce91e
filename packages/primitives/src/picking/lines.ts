import { cutEnd } from '../cut-end.ts';

/**
 * A text in pieces that joined are all of it: its lines, each with its end, and a line of more characters than may be in
 * several, no character halved.
 * @param maxLineChars at least 2
 */
export function linesOf(text: string, maxLineChars: number): string[] {
  const pieces: string[] = [];
  for (let from = 0; from < text.length; ) {
    const newline = text.indexOf('\n', from);
    const to = newline < 0 ? text.length : newline;
    while (to - from > maxLineChars) {
      const piece = cutEnd(text.slice(from, from + maxLineChars + 1), maxLineChars).slice(0, -1);
      pieces.push(piece);
      from += piece.length;
    }
    pieces.push(text.slice(from, to + 1));
    from = to + 1;
  }
  return pieces;
}
