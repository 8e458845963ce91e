import { createHash } from 'node:crypto';
import type { Workspace } from '../workspace/workspace.ts';
import { type Guard, pathOf } from './guards.ts';
import type { Mutants } from './mutants.ts';

/** Written by `pnpm mutate NAME --figures`. */
export const FIGURES = 'scripts/mutate/figures.json';

/** What a run over one guard found, and of which text of it. */
export interface Figure extends Pick<Mutants, 'total' | 'killed' | 'hung'> {
  /** Of the file as it was then, see {@link sourceOf}. */
  readonly source: string;
}

export type Figures = Readonly<Record<string, Figure>>;

export function readFigures(workspace: Workspace): Figures {
  return JSON.parse(workspace.read(FIGURES));
}

/** The figures with that of one file as it is now, in the order of their names. */
export function withFigure(figures: Figures, path: string, figure: Figure): Figures {
  return Object.fromEntries(
    Object.entries({ ...figures, [path]: figure }).toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
}

/** Tells one text of a file from another. */
export function sourceOf(text: string): string {
  return createHash('sha256').update(text.replaceAll('\r\n', '\n')).digest('hex').slice(0, 12);
}

/** Whether the guard has changed since it was measured; one that never was has no figure to be old. */
export function isOld(workspace: Workspace, figures: Figures, guard: Guard): boolean {
  const path = pathOf(guard);
  const figure = figures[path];
  return figure !== undefined && figure.source !== sourceOf(workspace.read(path));
}
