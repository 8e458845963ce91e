import type { RunRow, SpendingRow } from './tables.ts';

/** The call itself, through however many runs its answer was kept. */
export function originOf({ id, run_id, is_kept }: Pick<SpendingRow, 'id' | 'run_id' | 'is_kept'>): string {
  return is_kept ? id.slice(run_id.length + 1) : id;
}

/** A call that another run had paid, as one whose answer this run has: once in a run. See `keptCallsOf`. */
export function keptCall(row: SpendingRow, to: Pick<RunRow, 'id' | 'root_id'>, step: string): SpendingRow {
  const own = { id: keptId(to.id, row), run_id: to.id, root_id: to.root_id, step };
  return { ...row, ...own, is_kept: 1, interrupted: 0, answer: null };
}

export function keptId(to: string, row: Pick<SpendingRow, 'id' | 'run_id' | 'is_kept'>): string {
  return `${to}/${originOf(row)}`;
}
