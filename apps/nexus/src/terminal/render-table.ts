import { type Paint, showMarks } from './inline-marks.ts';
import { shownWidth, widestPiece, wrap } from './wrap.ts';

const GAP = '  ';
/** A cell of more rows than this is read more easily as a record's line. */
const MAX_CELL_ROWS = 4;
const DIVIDER = /^\s*(?:\|\s*)?:?-+:?(?:\s*\|\s*:?-+:?)*\s*(?:\|\s*)?$/;

export const isTableRow = (line: string) => /^\s*\|/.test(line);

/** Whether lines that begin with a bar are a table: its second line says so (GFM, Tables). */
export const isTable = (lines: readonly string[]) => lines.length >= 2 && DIVIDER.test(lines[1] ?? '');

/**
 * A table as wide as the window: in columns where they fit, with its cells broken where that stays readable, and
 * else as a record a row, a line a cell.
 */
export function renderTable(lines: readonly string[], columns: number, paint: Paint): string[] {
  const [heading = [], , ...rest] = lines.map(cells);
  const shown = (row: readonly string[]) => heading.map((_, at) => showMarks(row[at] ?? '', paint));
  const head = heading.map((cell) => paint('bold', showMarks(cell, paint)));
  const rows = rest.map(shown);
  const widths = columnWidths([head, ...rows], columns);
  if (!widths) return asRecords(head, rows, columns);
  const wrapped = rows.map((row) => row.map((cell, at) => wrap(cell, widths[at] ?? 0)));
  if (wrapped.some((row) => row.some((cell) => cell.length > MAX_CELL_ROWS)))
    return asRecords(head, rows, columns);
  const divider = paint('dim', widths.map((width) => '─'.repeat(width)).join(GAP));
  const isTall = wrapped.some((row) => row.some((cell) => cell.length > 1));
  return [
    ...inColumns(
      head.map((cell, at) => wrap(cell, widths[at] ?? 0)),
      widths,
    ),
    divider,
    // Where a row takes several lines, it must be seen where the next begins.
    ...wrapped.flatMap((row, at) => [...(isTall && at > 0 ? [divider] : []), ...inColumns(row, widths)]),
  ];
}

function cells(line: string): string[] {
  return line
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|'));
}

/** Undefined where some column can't be as wide as its widest word. */
function columnWidths(rows: readonly (readonly string[])[], columns: number): number[] | undefined {
  const count = rows[0]?.length ?? 0;
  const across = (measure: (cell: string) => number) =>
    Array.from({ length: count }, (_, at) => Math.max(1, ...rows.map((row) => measure(row[at] ?? ''))));
  const natural = across(shownWidth);
  const widths = across(widestPiece);
  let free = columns - GAP.length * (count - 1) - widths.reduce((sum, width) => sum + width, 0);
  if (free < 0) return undefined;
  for (; free > 0; free -= 1) {
    // To the column that would be broken most.
    const needs = widths.map((width, at) => (natural[at] ?? 0) / width);
    const neediest = needs.indexOf(Math.max(...needs));
    if ((needs[neediest] ?? 0) <= 1) break;
    widths[neediest] = (widths[neediest] ?? 0) + 1;
  }
  return widths;
}

function inColumns(row: readonly (readonly string[])[], widths: readonly number[]): string[] {
  const height = Math.max(1, ...row.map((cell) => cell.length));
  return Array.from({ length: height }, (_, line) =>
    row
      .map((cell, at) => {
        const text = cell[line] ?? '';
        return text + ' '.repeat(Math.max(0, (widths[at] ?? 0) - shownWidth(text)));
      })
      .join(GAP)
      .trimEnd(),
  );
}

function asRecords(head: readonly string[], rows: readonly (readonly string[])[], columns: number): string[] {
  return rows.flatMap((row, index) => [
    ...(index > 0 ? [''] : []),
    ...row.flatMap((cell, at) => {
      if (cell === '') return [];
      const named = head[at] ? `${head[at]}: ${cell}` : cell;
      const [first = '', ...more] = wrap(named, Math.max(10, columns - GAP.length));
      return [first, ...more.map((line) => GAP + line)];
    }),
  ]);
}
