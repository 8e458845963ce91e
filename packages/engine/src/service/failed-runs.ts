import { sql } from 'kysely';
import { readError } from '../record/errors.ts';
import { JOB_KIND } from '../record/job-kind.ts';
import type { RunDatabase } from '../record/run-database.ts';
import type { RunRow } from '../record/tables.ts';
import { isoTime } from '../views/run-view.ts';

export interface FailedRunsQuery {
  readonly statuses: readonly ('failed' | 'cancelled')[];
  readonly kind?: string | undefined;
  /** Of the error that it ended with. */
  readonly code?: string | undefined;
  /** That ended at most so long ago. */
  readonly withinMs?: number | undefined;
  readonly limit: number;
}

/** A run that came to nothing, and that nothing has been made of since. */
export interface FailedRun extends Pick<RunRow, 'id' | 'kind' | 'title' | 'status'> {
  readonly endedAt: string;
  readonly code: string;
  readonly message: string;
}

export interface FailedRuns {
  readonly runs: readonly FailedRun[];
  readonly total: number;
}

/**
 * Runs that came to nothing, the oldest first; `total` counts those beyond the limit too. A job's run counts for its
 * job. One that was run again is left out: what came of it is a run of its own.
 */
export async function failedRuns(
  { db, store }: RunDatabase,
  { statuses, kind, code, withinMs, limit }: FailedRunsQuery,
): Promise<FailedRuns> {
  let query = db
    .selectFrom('runs_runs as run')
    .leftJoin('runs_runs as parent', 'parent.id', 'run.parent_id')
    .select(['run.id', 'run.kind', 'run.title', 'run.status', 'run.ended_at', 'run.error'])
    .where('run.status', 'in', statuses)
    .where('run.kind', '!=', JOB_KIND)
    .where((eb) => eb.or([eb('run.parent_id', 'is', null), eb('parent.kind', '=', JOB_KIND)]))
    .where('run.id', 'not in', sql<string>`(select rerun_of from runs_runs where rerun_of is not null)`);
  if (kind !== undefined) query = query.where('run.kind', '=', kind);
  if (withinMs !== undefined) {
    query = query.where('run.ended_at', '>=', sql<number>`${store.now} - ${withinMs}`);
  }
  const rows = await query.orderBy('run.ended_at').orderBy('run.id').execute();
  const found = rows.flatMap(({ id, kind, title, status, ended_at: endedAt, error }): FailedRun[] => {
    const { code: endedWith = '', message = '' } = readError(error) ?? {};
    if (code !== undefined && endedWith !== code) return [];
    return [{ id, kind, title, status, endedAt: isoTime(Number(endedAt)), code: endedWith, message }];
  });
  return { runs: found.slice(0, limit), total: found.length };
}
