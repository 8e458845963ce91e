/** What a terminal says of its window; one that knows no size says 0, as under `docker run -t` and in scripts. */
interface Sized {
  readonly columns?: number | undefined;
  readonly rows?: number | undefined;
}

/** The window's size, else the usual one. */
export function windowSize({ columns, rows }: Sized): { readonly columns: number; readonly rows: number } {
  return { columns: columns || 80, rows: rows || 24 };
}
