import { cutEndCounted, visibleContent } from '@nexus/primitives';

/** Longer lines are cut, and say by how much: one of minified code would fill an answer. */
const MAX_LINE_CHARACTERS = 2_000;

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

/** Whole lines of a range, as many as fit; the first one always. */
export function numberedLines(
  lines: readonly string[],
  range: LineRange,
  maxCharacters: number,
): NumberedLines {
  return linesThatFit(lines, {
    ...range,
    maxCharacters,
    show: (text, line) => `${line}\t${visibleContent(text)}`,
  });
}

interface Fitting extends LineRange {
  readonly maxCharacters: number;
  readonly show?: (text: string, line: number) => string;
}

/** The same, each as it is or as it is to be shown. */
export function linesThatFit(
  lines: readonly string[],
  { from, to, maxCharacters, show = (text) => text }: Fitting,
): NumberedLines {
  const shown: string[] = [];
  let left = maxCharacters;
  for (let line = from; line <= Math.min(to, lines.length); line += 1) {
    const said = show(cut(lines[line - 1] ?? ''), line);
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

function cut(line: string): string {
  return cutEndCounted(line, MAX_LINE_CHARACTERS);
}
