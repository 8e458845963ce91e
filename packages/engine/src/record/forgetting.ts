import { sql } from 'kysely';
import { JOB_KIND } from './job-kind.ts';
import { ENDED, type RunDatabase, type RunTransaction } from './run-database.ts';
import type { RunRow } from './tables.ts';

/** How many families are kept, and how much in all: beyond it the oldest that have ended go. */
const MAX_FAMILIES = 10_000;
/** How long an ended run stays, unless whoever started it asked for another time, as a job's caller does. */
export const KEEP_MS = 30 * 86_400_000;
const MAX_BYTES = 512 * 1024 * 1024;
/** However many there are: what ended or was asked for so lately stays for whoever is about to read it. */
const FRESH_MS = 3_600_000;
const DAY_MS = 86_400_000;
/** How many values a statement is given at once. */
const BATCH = 500;

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

/**
 * Families of which no member is needed any more, and the oldest where they are too many, or too large together. What
 * goes on from one another stays, and goes, as one: the later look up what the earlier had done. What has not ended
 * stays, with all that hangs together with it.
 */
export async function forgetOld(
  on: RunDatabase,
  { days, families = MAX_FAMILIES, bytes = MAX_BYTES }: RunRetention = {},
) {
  const { db, store } = on;
  await db
    .deleteFrom('runs_workers')
    .where('seen_at', '<', sql<number>`${store.now} - ${WORKER_MS}`)
    .where('id', 'not in', db.selectFrom('runs_runs').select(sql<string>`coalesce(owner, '')`.as('owner')))
    .execute();
  // Others end runs meanwhile: until there is nothing left to take.
  while (await forgetOnce(on, { days, families, bytes }));
}

/** @returns whether anything is gone */
async function forgetOnce(
  on: RunDatabase,
  { days, families, bytes }: RunRetention & { readonly families: number; readonly bytes: number },
): Promise<boolean> {
  const now = Number(await on.store.readNow(on.db));
  const all = await kin(on, days);
  const left = new Set(all);
  // What goes on from one another counts as one, however often it was gone on with: by its bytes alone as so many.
  const size = { families: 0, bytes: 0 };
  const count = ({ bytes: held }: Kin, by: 1 | -1) => {
    size.families += by;
    size.bytes += by * held;
  };
  for (const group of all) count(group, 1);
  const forget = async (group: Kin) => {
    if (!(await forgetKin(on, group))) return;
    left.delete(group);
    count(group, -1);
  };
  for (const group of all) if (!group.isOpen && group.keptUntil <= now) await forget(group);
  const oldest = [...left].filter(({ isOpen, lastNeeded: at }) => !isOpen && at <= now - FRESH_MS);
  for (const group of oldest.sort((a, b) => a.lastNeeded - b.lastNeeded)) {
    if (size.families <= families && size.bytes <= bytes) break;
    await forget(group);
  }
  return left.size < all.length;
}

/** Families of which one has a run that goes on in a run of another, and whatever hangs together with those; else one alone. */
interface Kin {
  readonly roots: string[];
  /** Whether a member of any has not ended. */
  isOpen: boolean;
  keptUntil: number;
  lastNeeded: number;
  bytes: number;
}

async function kin({ db }: RunDatabase, days: number | undefined): Promise<Kin[]> {
  const keptMs =
    days === undefined
      ? sql<number>`keep_ms`
      : // A job stays for as long as was asked, be it as long as a run does.
        sql<number>`case when keep_ms = ${KEEP_MS} and not ${isJob} then ${days * DAY_MS} else keep_ms end`;
  // By its members and not by its first, which may be gone, and which may be kept for less long than its children.
  const families = await db
    .selectFrom('runs_runs')
    .select([
      'root_id',
      sql<number>`sum(case when ended_at is null then 1 else 0 end)`.as('open'),
      sql<number>`max(case when keep_ms < ${WITH_FAMILY_MS} then ${lastNeeded} + ${keptMs} else 0 end)`.as(
        'kept_until',
      ),
      sql<number>`max(${lastNeeded})`.as('last_needed'),
      sql<number>`sum(bytes)`.as('bytes'),
    ])
    .groupBy('root_id')
    .execute();
  const groupOf = new Map<string, Kin>();
  for (const { root_id: root, open, kept_until, last_needed, bytes } of families) {
    const times = { keptUntil: Number(kept_until), lastNeeded: Number(last_needed) };
    groupOf.set(root, { roots: [root], isOpen: Number(open) > 0, ...times, bytes: Number(bytes) });
  }
  const links = await db
    .selectFrom('runs_runs as run')
    .innerJoin('runs_runs as next', 'next.id', 'run.goes_on_in')
    .select(['run.root_id as from', 'next.root_id as to'])
    .distinct()
    .whereRef('run.root_id', '!=', 'next.root_id')
    .execute();
  for (const { from, to } of links) {
    const [one, other] = [groupOf.get(from), groupOf.get(to)];
    if (one && other && one !== other) for (const root of join(one, other)) groupOf.set(root, one);
  }
  return [...new Set(groupOf.values())];
}

/** Takes the other's into one. @returns those families */
function join(one: Kin, other: Kin): readonly string[] {
  one.roots.push(...other.roots);
  one.isOpen ||= other.isOpen;
  one.keptUntil = Math.max(one.keptUntil, other.keptUntil);
  one.lastNeeded = Math.max(one.lastNeeded, other.lastNeeded);
  one.bytes += other.bytes;
  return other.roots;
}

/**
 * Takes them off the record, unless one of them goes on, or was asked for, meanwhile. They are locked first: of a run
 * that is gone on with and one that is forgotten, one comes first.
 * @returns whether they are gone
 */
function forgetKin(on: RunDatabase, { roots, lastNeeded: then }: Kin): Promise<boolean> {
  return on.write(async (trx) => {
    const members: Locked[] = [];
    for (const of of batches(roots)) members.push(...(await lockFamilies(trx, of)));
    // By another, or by this very write, whose answer was lost.
    if (members.length === 0) return true;
    const ids = new Set(members.map(({ id }) => id));
    const next = members.flatMap(({ goes_on_in: id }) => (id === null || ids.has(id) ? [] : id));
    const isGoneOnFrom = next.length > 0 && (await isAnyOnRecord(trx, next));
    if (isGoneOnFrom || members.some((run) => run.ended_at === null || Number(run.last_needed) > then))
      return false;
    for (const of of batches([...ids])) {
      for (const table of PARTS) await trx.deleteFrom(table).where('run_id', 'in', of).execute();
      await trx.deleteFrom('runs_runs').where('id', 'in', of).execute();
    }
    return true;
  });
}

interface Locked extends Pick<RunRow, 'id' | 'ended_at' | 'goes_on_in'> {
  readonly last_needed: number;
}

function lockFamilies(trx: RunTransaction, roots: readonly string[]): Promise<Locked[]> {
  return trx
    .updateTable('runs_runs')
    .set(({ ref }) => ({ updated_at: ref('updated_at') }))
    .where('root_id', 'in', roots)
    .returning(['id', 'ended_at', 'goes_on_in', lastNeeded.as('last_needed')])
    .execute();
}

async function isAnyOnRecord(db: RunTransaction, ids: readonly string[]): Promise<boolean> {
  for (const of of batches(ids)) {
    const found = db.selectFrom('runs_runs').select('id').where('id', 'in', of).limit(1);
    if (await found.executeTakeFirst()) return true;
  }
  return false;
}

/** No statement takes more values at once. */
function batches<Item>(all: readonly Item[]): Item[][] {
  return Array.from({ length: Math.ceil(all.length / BATCH) }, (_, at) =>
    all.slice(at * BATCH, (at + 1) * BATCH),
  );
}
