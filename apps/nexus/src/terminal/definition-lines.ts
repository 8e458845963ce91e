import { outputColumns } from './window-size.ts';
import { shownWidth, wrap } from './wrap.ts';

const INDENT = '  ';
const GAP = '  ';
/** A text in a narrower column is read more easily below its term. */
const LEAST_TEXT_COLUMNS = 24;

/**
 * Terms with what they mean beside them, broken between words: nothing of either is cut. Where a window leaves a text too
 * little room there, it stands below its term.
 * @param columns of the window; by default standard output's, undefined where no line is to be broken
 */
export function definitionLines(
  definitions: readonly (readonly [term: string, text: string])[],
  columns: number | undefined = outputColumns(),
): string[] {
  const wide = Math.max(0, ...definitions.map(([term]) => shownWidth(term)));
  const room = (columns ?? Number.POSITIVE_INFINITY) - wide - GAP.length;
  if (room < LEAST_TEXT_COLUMNS) {
    const below = Math.max(1, (columns ?? 0) - INDENT.length);
    return definitions.flatMap(([term, text]) => [term, ...wrap(text, below).map((row) => INDENT + row)]);
  }
  return definitions.flatMap(([term, text]) =>
    wrap(text, room).map((row, at) => {
      const beside = at === 0 ? term : '';
      return `${beside}${' '.repeat(wide - shownWidth(beside))}${GAP}${row}`;
    }),
  );
}
