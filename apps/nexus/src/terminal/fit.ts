import { KEPT_SPACE, shownWidth, wrap } from './wrap.ts';

const ELLIPSIS = '…';
const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** At most so many columns of a line; where that is not all of it, an ellipsis says so. */
export function cut(line: string, columns: number): string {
  if (shownWidth(line) <= columns) return line;
  let shown = '';
  let width = 0;
  for (const { segment } of graphemes.segment(line)) {
    width += shownWidth(segment);
    if (width > columns - 1) break;
    shown += segment;
  }
  return `${shown.trimEnd()}${ELLIPSIS}`;
}

/**
 * Lines as a window of so many columns shows them: broken between words, what goes on indented below its beginning. A
 * command is broken so that a shell takes it whole when it is pasted, and one within a sentence only where no row has
 * room for it.
 */
export function fold(lines: readonly string[], columns: number): string[] {
  return lines.flatMap((line) => {
    if (shownWidth(line) <= columns) return [line];
    const indent = /^\s*/.exec(line)?.[0] ?? '';
    const isCommand = /^\s*nexus /.test(line);
    const deeper = `${indent}  `;
    const room = Math.max(20, columns - deeper.length - (isCommand ? 2 : 0));
    const [first = '', ...rest] = wrap(keptWhole(line.slice(indent.length)), room, { isWhole: isCommand });
    const rows = [`${indent}${first}`, ...rest.map((row) => `${deeper}${row}`)];
    return isCommand ? rows.map((row, at) => (at < rows.length - 1 ? `${row} \\` : row)) : rows;
  });
}

/** Commands in backticks, and numbers with their units. */
const KEPT = /`[^`]{1,1000}`|(?<=\d) (?=(?:ms|s|min|h|d|KB|MB|GB|%)(?![\w-]))/g;

const keptWhole = (text: string): string => text.replace(KEPT, (part) => part.replaceAll(' ', KEPT_SPACE));
