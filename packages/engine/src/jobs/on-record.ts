import { ToolError } from '@nexus/plugin-sdk';
import { type ExpressionBuilder, sql } from 'kysely';
import { forgetRuns } from '../record/forgetting.ts';
import { ENDED, type RunDatabase } from '../record/run-database.ts';
import type { RunRow, RunTables } from '../record/tables.ts';
import { JOB_KIND } from './job-run.ts';

/** Jobs that are still on record: one that has not ended stays, however old it is. */
export function onRecord({ store }: RunDatabase) {
  return ({ eb, and, or }: ExpressionBuilder<RunTables, 'runs_runs'>) =>
    and([
      eb('kind', '=', JOB_KIND),
      or([eb('status', 'not in', ENDED), eb(sql<number>`created_at + keep_ms`, '>', store.now)]),
    ]);
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
  throw new ToolError('NEXUS_NOT_FOUND', `No job ${jobId}: it never was, or its time on record is over.`);
}

export async function forgetExpired(on: RunDatabase): Promise<void> {
  const expired = await on.db
    .selectFrom('runs_runs')
    .select('id')
    .where('kind', '=', JOB_KIND)
    .where('status', 'in', ENDED)
    .where(sql<number>`created_at + keep_ms`, '<=', on.store.now)
    .limit(100)
    .execute();
  if (expired.length > 0)
    await forgetRuns(
      on,
      expired.map(({ id }) => id),
    );
}
