import { sql } from 'kysely';
import { JOB_KIND } from './job-kind.ts';
import { ENDED, type RunDatabase } from './run-database.ts';
import type { RunRow } from './tables.ts';

/** How many families are kept, and how much in all: beyond it the oldest that have ended go. */
const MAX_FAMILIES = 10_000;
/** How long an ended run stays, unless whoever started it asked for another time, as a job's caller does. */
export const KEEP_MS = 30 * 86_400_000;
const MAX_BYTES = 512 * 1024 * 1024;
/** However many there are: what ended or was asked for so lately stays for whoever is about to read it. */
const FRESH_MS = 3_600_000;
const DAY_MS = 86_400_000;
/** At once, so that no transaction holds others up. */
const BATCH = 20;

const PARTS = [
  'runs_steps',
  'runs_events',
  'runs_questions',
  'runs_spending',
  'runs_calls',
  'runs_blobs',
  'runs_taken_up',
] as const;

const isJob = sql<boolean>`kind = ${JOB_KIND}`;

/** Since when nobody has had to do with an ended run: its end, or when its answer was last asked for. */
const lastNeeded = sql<number>`coalesce(read_at, ended_at, created_at)`;

/** Until when an ended run stays on record at least. */
export const keptUntil = sql<number>`coalesce(read_at, ended_at, created_at) + keep_ms`;

/** `keep_ms` of a child: it stays for as long as any of its family does, and for no longer. */
export const WITH_FAMILY_MS = 100 * 365 * 86_400_000;

/** Of the time that a run is kept: so much of it must have passed before a reading of it is put on record anew. */
const READ_SHARE = 10;

/** Lets an ended run stay, from now on, as long as it would after its end: somebody has asked for it. */
export async function keepRead(
  { db, store }: RunDatabase,
  row: Pick<RunRow, 'id' | 'ended_at' | 'keep_ms'>,
): Promise<void> {
  if (row.ended_at === null) return;
  const share = Math.floor(Number(row.keep_ms) / READ_SHARE);
  // Read by the clock of the database first: mostly it was read lately, and then nothing is written.
  const stale = await db
    .selectFrom('runs_runs')
    .select('id')
    .where('id', '=', row.id)
    .where('status', 'in', ENDED)
    .where(lastNeeded, '<=', sql<number>`${store.now} - ${share}`)
    .executeTakeFirst();
  if (!stale) return;
  await db
    .updateTable('runs_runs')
    .set({ read_at: store.now })
    .where('id', '=', stale.id)
    .where('status', 'in', ENDED)
    .execute();
}

/** Processes that have run nothing for so long are not coming back. */
const WORKER_MS = 86_400_000;

/** What of it the config says otherwise. */
export interface RunRetention {
  readonly days?: number | undefined;
  readonly families?: number | undefined;
  readonly bytes?: number | undefined;
}

/** Whether a run goes on in one of another family that is on record: that one looks up what this one had done. */
const isGoneOnFrom = sql<boolean>`exists (
  select 1 from runs_runs next where next.id = runs_runs.goes_on_in and next.root_id != runs_runs.root_id)`;

/**
 * Families of which no member is needed any more, and the oldest where they are too many, or too large together.
 * What has not ended stays, with all of its family, and so does what another goes on from for as long as that one does.
 */
export async function forgetOld(
  on: RunDatabase,
  { days, families = MAX_FAMILIES, bytes = MAX_BYTES }: RunRetention = {},
) {
  const { db, store } = on;
  const limits = { families, bytes };
  const keptMs =
    days === undefined
      ? sql<number>`keep_ms`
      : // A job stays for as long as was asked, be it as long as a run does.
        sql<number>`case when keep_ms = ${KEEP_MS} and not ${isJob} then ${days * DAY_MS} else keep_ms end`;
  await db
    .deleteFrom('runs_workers')
    .where('seen_at', '<', sql<number>`${store.now} - ${WORKER_MS}`)
    .where('id', 'not in', db.selectFrom('runs_runs').select(sql<string>`coalesce(owner, '')`.as('owner')))
    .execute();
  // By its members and not by its first, which may be gone, and which may be kept for less long than its children.
  const ended = db
    .selectFrom('runs_runs')
    .select('root_id')
    .groupBy('root_id')
    .having(sql<number>`sum(case when ended_at is null or ${isGoneOnFrom} then 1 else 0 end)`, '=', 0)
    .limit(BATCH);
  const longest = sql<number>`max(case when keep_ms < ${WITH_FAMILY_MS} then ${lastNeeded} + ${keptMs} else 0 end)`;
  const expired = ended.having(longest, '<=', store.now);
  while (await forgetFamilies(on, await expired.execute()));
  const oldest = ended
    .having(sql<number>`max(${lastNeeded})`, '<=', sql<number>`${store.now} - ${FRESH_MS}`)
    .orderBy(sql`max(${lastNeeded})`);
  for (;;) {
    const size = await db
      .selectFrom('runs_runs')
      .select([
        sql<number>`count(distinct root_id)`.as('families'),
        sql<number>`coalesce(sum(bytes), 0)`.as('bytes'),
      ])
      .executeTakeFirstOrThrow();
    const tooMany = Number(size.families) - limits.families;
    if (tooMany <= 0 && Number(size.bytes) <= limits.bytes) break;
    // Of those that are too large nobody knows how many have to go: one after the other.
    const some = oldest.clearLimit().limit(Math.max(1, Math.min(BATCH, tooMany)));
    if (!(await forgetFamilies(on, await some.execute()))) break;
  }
}

/**
 * Takes whole families off the record, unless one of them goes on meanwhile.
 * @returns whether any is gone
 */
async function forgetFamilies(on: RunDatabase, roots: readonly { root_id: string }[]): Promise<boolean> {
  let isAnyGone = false;
  for (const { root_id } of roots) isAnyGone = (await forgetFamily(on, root_id)) || isAnyGone;
  return isAnyGone;
}

/** Locks them first: of a job that is made again and one that is forgotten, one comes first. */
function forgetFamily(on: RunDatabase, rootId: string): Promise<boolean> {
  return on.write(async (trx) => {
    const members = await trx
      .updateTable('runs_runs')
      .set(({ ref }) => ({ updated_at: ref('updated_at') }))
      .where('root_id', '=', rootId)
      .returning(['id', 'ended_at'])
      .execute();
    // By another, or by this very write, whose answer was lost.
    if (members.length === 0) return true;
    if (members.some(({ ended_at }) => ended_at === null)) return false;
    const ids = members.map(({ id }) => id);
    for (const table of PARTS) await trx.deleteFrom(table).where('run_id', 'in', ids).execute();
    await trx.deleteFrom('runs_runs').where('id', 'in', ids).execute();
    return true;
  });
}
