import { visibleLine } from '@nexus/untrusted/shown';
import { cut, fold } from './fit.ts';
import { outputColumns } from './window-size.ts';
import { shownWidth } from './wrap.ts';

const GAP = '  ';
/** Of a column that has to give way, what still says something. */
const LEAST = 8;
/** What is no wider is an id, a time or a state: nothing of it is to spare. */
const WHOLE = 20;

/**
 * Rows under a heading, each column as wide as its widest cell. What others wrote is one line. In a window that is too
 * narrow the widest columns give way, with an ellipsis; where that does not do, each row is a record, a line a cell.
 * @param columns of the window; by default standard output's, undefined where nothing is to be cut
 */
export function table(
  heading: readonly string[],
  rows: readonly (readonly string[])[],
  columns: number | undefined = outputColumns(),
): string[] {
  const all = [heading, ...rows].map((row) => row.map(visibleLine));
  const natural = heading.map((_, column) => Math.max(...all.map((row) => shownWidth(row[column] ?? ''))));
  const widths = columns === undefined ? natural : fitted(natural, heading.map(shownWidth), columns);
  if (!widths) return records(all, columns ?? Number.POSITIVE_INFINITY);
  return all.map((row) =>
    inColumns(
      row.map((cell, column) => cut(cell, widths[column] ?? 0)),
      widths,
    ),
  );
}

/** What is narrower would have a word a row. */
const LEAST_TEXT = 24;

/** A table whose last column is sentences, such as what is wrong and how to mend it: they are broken, and never cut. */
export function tableWithText(
  heading: readonly string[],
  rows: readonly (readonly string[])[],
  columns: number | undefined = outputColumns(),
): string[] {
  const all = [heading, ...rows].map((row) => row.map(visibleLine));
  const last = heading.length - 1;
  const widths = heading
    .slice(0, last)
    .map((_, column) => Math.max(...all.map((row) => shownWidth(row[column] ?? ''))));
  const taken = widths.reduce((sum, width) => sum + width + GAP.length, 0);
  const room = (columns ?? Number.POSITIVE_INFINITY) - taken;
  if (room < LEAST_TEXT) return records(all, taken + room);
  return all.flatMap((row) =>
    fold([row[last] ?? ''], room).map((text, at) =>
      inColumns([...(at === 0 ? row.slice(0, last) : widths.map(() => '')), text], widths),
    ),
  );
}

function inColumns(row: readonly string[], widths: readonly number[]): string {
  return row
    .map((cell, column) => cell + ' '.repeat(Math.max(0, (widths[column] ?? 0) - shownWidth(cell))))
    .join(GAP)
    .trimEnd();
}

/** Undefined where even what is left of each column is too wide together. */
function fitted(
  natural: readonly number[],
  headings: readonly number[],
  columns: number,
): number[] | undefined {
  const widths = [...natural];
  const least = natural.map((width, at) => (width <= WHOLE ? width : Math.max(LEAST, headings[at] ?? 0)));
  let over = widths.reduce((sum, width) => sum + width, GAP.length * (widths.length - 1)) - columns;
  for (; over > 0; over -= 1) {
    const room = widths.map((width, at) => (width > (least[at] ?? 0) ? width : 0));
    const widest = room.lastIndexOf(Math.max(...room));
    if ((room[widest] ?? 0) === 0) return undefined;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths;
}

function records([heading = [], ...rows]: readonly (readonly string[])[], columns: number): string[] {
  return rows.flatMap((row, at) => [
    ...(at > 0 ? [''] : []),
    ...row.flatMap((cell, column) => (cell === '' ? [] : fold([`${heading[column]}: ${cell}`], columns))),
  ]);
}
