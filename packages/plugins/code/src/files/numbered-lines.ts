import { isHalf, OWN_SENTENCES, visibleContent } from '@nexus/primitives';

/** Longer lines are cut, and say by how much: one of minified code would fill an answer. */
const MAX_LINE_CHARACTERS = 2_000;

/** What of a line is shown at once, where so many characters have room. */
export function lineRoom(maxCharacters: number): number {
  return Math.min(MAX_LINE_CHARACTERS, Math.floor(maxCharacters / 2));
}

/** Lines from 1, the last one included. */
export interface LineRange {
  readonly from: number;
  readonly to: number;
}

export interface NumberedLines {
  readonly text: string;
  /** The last line that is in the text; `from - 1` where none is. */
  readonly last: number;
}

/** Whole lines of a range, as many as fit; the first one always. Of a very long one its beginning, and where it goes on. */
export function numberedLines(
  lines: readonly string[],
  range: LineRange,
  maxCharacters: number,
): NumberedLines {
  const room = lineRoom(maxCharacters);
  const show = (line: string, number: number) => {
    const { text, next } = linePart(line, 1, room);
    const left = line.length - next + 1;
    return left === 0
      ? `${number}\t${text}`
      : `${number}\t${text}${OWN_SENTENCES.moreOfLine(left, number, next)}`;
  };
  return linesThatFit(lines, { ...range, maxCharacters, show });
}

export interface LinePart {
  /** As a model reads it. */
  readonly text: string;
  /** The first column that is not in it, from 1; beyond the line's end where all of the rest is. */
  readonly next: number;
}

/** As much of one line as fits from a column on, no character halved. */
export function linePart(line: string, from: number, maxCharacters: number): LinePart {
  const start = isHalf(line, from - 1) ? from - 2 : from - 1;
  let size = Math.min(maxCharacters, line.length - start);
  for (;;) {
    const end = start + size < line.length && isHalf(line, start + size) ? start + size - 1 : start + size;
    const text = visibleContent(line.slice(start, end));
    if (text.length <= maxCharacters || size <= 2) return { text, next: end + 1 };
    // What is shown by its escape is longer than it is.
    size = Math.floor((size * maxCharacters) / text.length);
  }
}

interface Fitting extends LineRange {
  readonly maxCharacters: number;
  /** A line as it is to be shown, by its number. */
  show(text: string, line: number): string;
}

/** The same, each as it is to be shown. */
export function linesThatFit(
  lines: readonly string[],
  { from, to, maxCharacters, show }: Fitting,
): NumberedLines {
  const shown: string[] = [];
  let left = maxCharacters;
  for (let line = from; line <= Math.min(to, lines.length); line += 1) {
    const said = show(lines[line - 1] ?? '', line);
    left -= said.length + 1;
    if (left < 0 && shown.length > 0) break;
    shown.push(said);
  }
  return { text: shown.join('\n'), last: from - 1 + shown.length };
}

/** Without what a final newline would seem to begin. */
export function linesOf(text: string): string[] {
  const lines = text.split('\n').map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
  if (lines.at(-1) === '') lines.pop();
  return lines;
}
