import { sql } from 'kysely';
import { ENDED, type RunDatabase } from './run-database.ts';

/** How many families are kept, and how much in all: beyond it the oldest that have ended go. */
const MAX_FAMILIES = 10_000;
const MAX_BYTES = 512 * 1024 * 1024;
/** At once, so that no transaction holds others up. */
const BATCH = 100;

const PARTS = ['runs_steps', 'runs_events', 'runs_questions', 'runs_spending', 'runs_blobs'] as const;

/** Takes whole runs off the record, those that wait for nobody. */
export async function forgetRuns({ db }: RunDatabase, ids: readonly string[]): Promise<void> {
  await db.transaction().execute(async (trx) => {
    for (const table of PARTS) await trx.deleteFrom(table).where('run_id', 'in', ids).execute();
    await trx.deleteFrom('runs_runs').where('id', 'in', ids).where('status', 'in', ENDED).execute();
  });
}

/** Processes that have run nothing for so long are not coming back. */
const WORKER_MS = 86_400_000;

/** Ended families that are too old, or too many, or too large together. What has not ended stays. */
export async function forgetOld(on: RunDatabase, limits = { families: MAX_FAMILIES, bytes: MAX_BYTES }) {
  const { db, store } = on;
  await db
    .deleteFrom('runs_workers')
    .where('seen_at', '<', sql<number>`${store.now} - ${WORKER_MS}`)
    .where('id', 'not in', db.selectFrom('runs_runs').select(sql<string>`coalesce(owner, '')`.as('owner')))
    .execute();
  for (;;) {
    const expired = await db
      .selectFrom('runs_runs')
      .select('root_id')
      .whereRef('id', '=', 'root_id')
      .where('status', 'in', ENDED)
      .where(sql<number>`created_at + keep_ms`, '<=', store.now)
      .limit(BATCH)
      .execute();
    if (expired.length === 0) break;
    await forgetFamilies(on, expired);
  }
  for (;;) {
    const size = await db
      .selectFrom('runs_runs')
      .select([
        sql<number>`count(distinct root_id)`.as('families'),
        sql<number>`coalesce(sum(bytes), 0)`.as('bytes'),
      ])
      .executeTakeFirstOrThrow();
    if (Number(size.families) <= limits.families && Number(size.bytes) <= limits.bytes) break;
    const over = Math.max(1, Math.min(BATCH, Number(size.families) - limits.families));
    const oldest = await db
      .selectFrom('runs_runs')
      .select('root_id')
      .whereRef('id', '=', 'root_id')
      .where('status', 'in', ENDED)
      .orderBy('ended_at')
      .limit(over)
      .execute();
    if (oldest.length === 0) break;
    await forgetFamilies(on, oldest);
  }
}

async function forgetFamilies(on: RunDatabase, roots: readonly { root_id: string }[]): Promise<void> {
  const members = await on.db
    .selectFrom('runs_runs')
    .select('id')
    .where(
      'root_id',
      'in',
      roots.map(({ root_id }) => root_id),
    )
    .execute();
  await forgetRuns(
    on,
    members.map(({ id }) => id),
  );
}
