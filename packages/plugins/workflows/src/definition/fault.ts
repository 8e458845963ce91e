/** Where something stands in a file, both from 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** What is wrong with a workflow file. */
export interface Fault extends Place {
  /** Where in its structure, such as `steps.2.with.query`; empty for the file itself. */
  readonly path: string;
  /** What, with which value, and the nearest of what there is. */
  readonly message: string;
}

export type Path = readonly (string | number)[];

/** In the order of the file, each once. */
export function sortFaults(faults: readonly Fault[]): Fault[] {
  const each = new Map(faults.map((fault) => [`${fault.line}:${fault.column} ${fault.message}`, fault]));
  return [...each.values()].sort((a, b) => a.line - b.line || a.column - b.column);
}

export function faultLine(file: string, { line, column, path, message }: Fault): string {
  return `${file}:${line}:${column}: ${path === '' ? '' : `${path}: `}${message}`;
}
