import type { ExpressionBuilder } from 'kysely';
import { keptUntil } from '../record/forgetting.ts';
import { JOB_KIND } from '../record/job-kind.ts';
import { notOnRecord } from '../record/not-on-record.ts';
import { ENDED, type RunDatabase } from '../record/run-database.ts';
import type { RunRow, RunTables } from '../record/tables.ts';

/** Jobs that are still on record: one that has not ended stays, however old it is. */
export function onRecord({ store }: RunDatabase) {
  return ({ eb, and, or }: ExpressionBuilder<RunTables, 'runs_runs'>) =>
    and([eb('kind', '=', JOB_KIND), or([eb('status', 'not in', ENDED), eb(keptUntil, '>', store.now)])]);
}

/** @throws {ToolError} NEXUS_NOT_FOUND, for another user's too */
export async function findJob(on: RunDatabase, jobId: string, user: string | undefined): Promise<RunRow> {
  const row = await on.db
    .selectFrom('runs_runs')
    .selectAll()
    .where('id', '=', jobId)
    .where(onRecord(on))
    .$if(user !== undefined, (query) => query.where('user_id', '=', user ?? null))
    .executeTakeFirst();
  if (row) return row;
  throw notOnRecord(jobId, 'job');
}

/** A job whose time is over gives up its key, though it is on record yet for the runs that it began. */
export async function giveUpExpiredKey({ db, store }: RunDatabase, key: string): Promise<void> {
  await db
    .updateTable('runs_runs')
    .set({ start_key: null })
    .where('start_key', '=', key)
    .where('status', 'in', ENDED)
    .where(keptUntil, '<=', store.now)
    .execute();
}
