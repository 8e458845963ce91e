import type { Run } from '@nexus/plugin-sdk';
import { sql } from 'kysely';
import { readError } from '../record/errors.ts';
import { JOB_KIND } from '../record/job-kind.ts';
import { notOnRecord } from '../record/not-on-record.ts';
import type { RunDatabase } from '../record/run-database.ts';
import type { RunRow } from '../record/tables.ts';
import { type IsThere, isoTime, shownStatus } from '../views/run-view.ts';

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

/** A run that came to nothing, and in which run it goes on, or went on, since. */
export interface RunAgain extends Pick<RunRow, 'id' | 'kind' | 'title'> {
  readonly begun: Pick<Run, 'id' | 'status'>;
}

export interface FailedRuns {
  readonly runs: readonly FailedRun[];
  readonly total: number;
  /** Of those that are no longer among them, the last to end. */
  readonly again: readonly RunAgain[];
  readonly againTotal: number;
}

/**
 * Runs that came to nothing, the oldest first; `total` counts those beyond the limit too. A job's run counts for its
 * job. One that was run again is told apart, with what came of it: that is a run of its own.
 */
export async function failedRuns(
  on: RunDatabase,
  { statuses, kind, code, withinMs, limit }: FailedRunsQuery,
  isThere: IsThere,
): Promise<FailedRuns> {
  const { db, store } = on;
  let query = db
    .selectFrom('runs_runs as run')
    .leftJoin('runs_runs as parent', 'parent.id', 'run.parent_id')
    .select(['run.id', 'run.kind', 'run.title', 'run.status', 'run.ended_at', 'run.error'])
    .select(sql<boolean | number>`run.id in (${RERUN})`.as('is_again'))
    .where('run.status', 'in', statuses)
    .where('run.kind', '!=', JOB_KIND)
    .where((eb) => eb.or([eb('run.parent_id', 'is', null), eb('parent.kind', '=', JOB_KIND)]));
  if (kind !== undefined) query = query.where('run.kind', '=', kind);
  if (withinMs !== undefined) {
    query = query.where('run.ended_at', '>=', sql<number>`${store.now} - ${withinMs}`);
  }
  const rows = await query.orderBy('run.ended_at').orderBy('run.id').execute();
  const found: FailedRun[] = [];
  const again: Pick<FailedRun, 'id' | 'kind' | 'title'>[] = [];
  for (const { id, kind, title, status, ended_at: endedAt, error, is_again: isAgain } of rows) {
    const { code: endedWith = '', message = '' } = readError(error) ?? {};
    if (code !== undefined && endedWith !== code) continue;
    if (isAgain) again.push({ id, kind, title });
    else found.push({ id, kind, title, status, endedAt: isoTime(Number(endedAt)), code: endedWith, message });
  }
  const told: RunAgain[] = [];
  for (const each of again.slice(-limit)) {
    const row = await lastBegun(on, each.id);
    const status = await shownStatus(on, row, isThere);
    told.push({ ...each, begun: { id: row.id, status } });
  }
  return { runs: found.slice(0, limit), total: found.length, again: told, againTotal: again.length };
}

/** Of which runs there is another that was made of them. */
const RERUN = sql`select rerun_of from runs_runs where rerun_of is not null`;

type Begun = Pick<RunRow, 'id' | 'status' | 'owner'>;

/** The newest run that was made of one, or of what was made of that, and so on. */
async function lastBegun({ db }: RunDatabase, id: string): Promise<Begun> {
  const ofRun = (of: string) =>
    db
      .selectFrom('runs_runs')
      .select(['id', 'status', 'owner'])
      .where('rerun_of', '=', of)
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst();
  let last = await ofRun(id);
  if (!last) throw notOnRecord(id);
  for (let next = await ofRun(last.id); next; next = await ofRun(last.id)) last = next;
  return last;
}
