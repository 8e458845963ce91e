/** What a terminal says of its window; one that knows no size says 0, as under `docker run -t` and in scripts. */
interface Sized {
  readonly columns?: number | undefined;
  readonly rows?: number | undefined;
}

/** The window's size, else the usual one. */
export function windowSize({ columns, rows }: Sized): { readonly columns: number; readonly rows: number } {
  return { columns: columns || 80, rows: rows || 24 };
}

/** How wide what goes to standard output may be: undefined where a program or a file takes it. */
export function outputColumns(
  stream: Sized & { readonly isTTY?: boolean } = process.stdout,
): number | undefined {
  return stream.isTTY ? windowSize(stream).columns : undefined;
}

const HELP_COLUMNS = 100;

/** Of help: as wide as the window, and no wider than reads well. */
export function helpColumns(): number {
  return Math.min(HELP_COLUMNS, outputColumns() ?? HELP_COLUMNS);
}

/**
 * Whether what stands on a terminal can be written over. One that says it is dumb gets each line once, which is also what
 * a screen reader reads best.
 */
export function isLive(
  stream: { readonly isTTY?: boolean },
  { TERM }: Readonly<Record<string, string | undefined>> = process.env,
): boolean {
  return stream.isTTY === true && TERM !== 'dumb';
}
