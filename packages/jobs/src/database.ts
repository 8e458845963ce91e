import type { Store } from '@nexus/plugin-sdk';
import type { ExpressionBuilder, Kysely } from 'kysely';
import { UNFINISHED } from './job-view.ts';
import { migrations } from './migrations.ts';
import type { JobRow, JobsTables } from './tables.ts';

export type Database = Kysely<JobsTables>;

/** Connects on first use. */
export function opener(store: Store): () => Promise<Database> {
  return () => store.open<JobsTables>('jobs', migrations);
}

/** Still on record at `now`: a job that works stays, however old it is. */
export function onRecord(now: number) {
  return ({ eb, or }: ExpressionBuilder<JobsTables, 'jobs_jobs'>) =>
    or([eb('status', 'in', UNFINISHED), eb('expires_at', '>', now)]);
}

export async function findRow(db: Database, jobId: string): Promise<JobRow | undefined> {
  return db
    .selectFrom('jobs_jobs')
    .selectAll()
    .where('id', '=', jobId)
    .where(onRecord(Date.now()))
    .executeTakeFirst();
}

export async function forgetExpired(db: Database): Promise<void> {
  await db
    .deleteFrom('jobs_jobs')
    .where('status', 'not in', UNFINISHED)
    .where('expires_at', '<=', Date.now())
    .execute();
}

/** What an unfinished job's row was when it was read: a change is made only if it still is. */
export type Held = Pick<JobRow, 'id' | 'server_id'>;

/** @returns whether the job was still as it was read */
export async function changeUnfinished(
  db: Database,
  { id, server_id }: Held,
  change: Partial<JobRow>,
): Promise<boolean> {
  const changed = await db
    .updateTable('jobs_jobs')
    .set({ ...change, updated_at: Date.now() })
    .where('id', '=', id)
    .where('status', 'in', UNFINISHED)
    .where('server_id', server_id === null ? 'is' : '=', server_id)
    .returning('id')
    .executeTakeFirst();
  return changed !== undefined;
}
