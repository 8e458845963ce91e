import type { RunRow } from './tables.ts';

/** The folders of the project, relative to it, that a run may read; undefined for all of it. */
export function rootsOf({ roots }: Pick<RunRow, 'roots'>): readonly string[] | undefined {
  return roots ? (JSON.parse(roots) as string[]) : undefined; // as `insertRun` wrote it
}
