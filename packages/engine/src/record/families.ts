import { ToolError } from '@nexus/plugin-sdk';
import { sql } from 'kysely';
import { endRun } from './ending.ts';
import { addOutsideEvent, tell } from './events.ts';
import { ENDED, OPEN, type RunDatabase, type RunTransaction } from './run-database.ts';
import { type LeftOfJob, leftOfJob, tellLater } from './untold-jobs.ts';
import { isKnown } from './workers.ts';

/** How many processes may die with a family in hand of which no run got a step further. */
const MAX_CRASHES = 3;
/** From here on it is run beside no other such one, so that the one that kills is found. */
const SUSPECT_CRASHES = 2;

/**
 * Steps that are done of a whole family, whichever run of it they are of, and runs: what it had got to. A run may end
 * without a step more, as by an answer that came before. A run that a step began without a key is begun anew with the
 * step, and what it does again is not counted again: it is known by the place that it has in the family.
 */
const stepsDone = (rootId: unknown) => sql<number>`(
  with recursive member(id, status, place) as (
    select id, status, '' from runs_runs where id = ${rootId}
    union all
    select child.id, child.status, member.place || '/' || coalesce(child.parent_step, '') || '/' || child.kind || '/' || coalesce(child.start_key, '')
    from runs_runs child join member on child.parent_id = member.id)
  select count(*) from (
    select member.place, done.name from member join runs_steps done on done.run_id = member.id
    where done.status = 'completed'
    union select place, null from member where status = 'completed') as distinct_steps)`;

/** How long a process whose death is in doubt has to come back and say that it lives. */
const DOUBT_MS = 10_000;
const PAST_DOUBT_MS = 600_000;

/** So many steps of a family that were done go off the record: it is as far from its last death as it was. */
export async function takeStepsBack(trx: RunTransaction, rootId: string, steps: number): Promise<void> {
  await trx
    .updateTable('runs_runs')
    .set({ crash_steps: sql`crash_steps - ${steps}` })
    .where('id', '=', rootId)
    .execute();
}

/** Whether so many processes have died with the family of this first run, which has got no further since. */
const diedOften = (table: string, times: number) => sql<boolean>`(
  ${sql.ref(`${table}.crashes`)} >= ${sql.lit(times)}
  and ${sql.ref(`${table}.crash_steps`)} = ${stepsDone(sql.ref(`${table}.id`))})`;

/** Whether processes have died with the family of a run of this table, which has got no further since. */
export const isSuspect = (table: string) => sql<boolean>`exists (
  select 1 from runs_runs root
  where root.id = ${sql.ref(`${table}.root_id`)} and ${diedOften('root', SUSPECT_CRASHES)})`;

/** Whether it is to end by that, unless one of those processes lives. */
export const isToEnd = (table: string) => sql<boolean>`exists (
  select 1 from runs_runs root
  where root.id = ${sql.ref(`${table}.root_id`)} and ${diedOften('root', MAX_CRASHES)})`;

/**
 * Frees what a dead process left. A family that processes died with once too often ends instead, whole.
 * @param how.isInDoubt whether it may live: then its death counts until it takes it back, and ends nothing so soon
 * @param how.seenAt when it was heard of last, as it was given up: this may wait for the store, and it may live by then
 * @returns how many runs are free; undefined where it was heard of since
 */
export function freeRunsOf(
  on: RunDatabase,
  owner: string,
  { isInDoubt, seenAt }: { readonly isInDoubt: boolean; readonly seenAt?: number | null | undefined },
): Promise<number | undefined> {
  return on.write(async (trx) => {
    // First, so that the process, should it live, learns of it before it claims again.
    const itself = trx.deleteFrom('runs_workers').where('id', '=', owner).returning('id');
    const known = await (typeof seenAt === 'number'
      ? itself.where('seen_at', '=', seenAt)
      : itself
    ).executeTakeFirst();
    if (!known && (await isKnown(trx, owner))) return undefined;
    await lockFamiliesOf(trx, on, owner);
    const freed = await trx
      .updateTable('runs_runs')
      .set({ status: 'queued', owner: null, wake_at: on.store.now, updated_at: on.store.now })
      .where('owner', '=', owner)
      .where('status', '=', 'running')
      .returning(['id', 'root_id'])
      .execute();
    const crashes = new Map<string, number>();
    const untold: LeftOfJob[] = [];
    for (const { root_id: rootId } of freed) {
      if (crashes.has(rootId)) continue;
      const left = await leftOfJob(trx, rootId);
      if (left && left.endedAt !== null) untold.push(left);
      // Work that is its run's, or done, is judged by no death of the job's; and what a process took up by a name that
      // was given up before costs no other one.
      if (left) await forgetCrashes(trx, rootId);
      const count = known && !left ? await countCrash(trx, rootId) : 0;
      crashes.set(rootId, count);
      if (isInDoubt && count > 0) await doubt(trx, on, { rootId, worker: owner });
    }
    for (const { id, root_id: rootId } of freed) {
      const data = leftBy(owner, crashes.get(rootId));
      await addOutsideEvent(trx, on, id, { type: 'run.orphaned', data });
      await tell(trx, on, id);
    }
    for (const each of untold) await tellLater(trx, on, each);
    for (const [rootId, count] of crashes) {
      if (count >= MAX_CRASHES && !(await isDoubted(trx, on, rootId))) await endFamily(trx, on, rootId);
    }
    return freed.length;
  });
}

/** Which process has left a run, and how many had died with its family by then: none, where it did not die. */
const leftBy = (worker: string, crashes: number | undefined) => ({ crashes, worker });

async function doubt(
  trx: RunTransaction,
  { store }: RunDatabase,
  { rootId, worker }: { readonly rootId: string; readonly worker: string },
): Promise<void> {
  const until = sql<number>`${store.now} + ${sql.lit(DOUBT_MS)}`;
  await trx
    .insertInto('runs_doubts')
    .values({ root_id: rootId, worker, until })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Deaths that count for a family, and may yet be taken back. */
const doubtsOf = (db: RunTransaction, { store }: RunDatabase, rootId: unknown) =>
  db
    .selectFrom('runs_doubts')
    .select('worker')
    .where('root_id', '=', sql<string>`${rootId}`)
    .where('until', '>', store.now);

async function isDoubted(trx: RunTransaction, on: RunDatabase, rootId: string): Promise<boolean> {
  return (await doubtsOf(trx, on, rootId).executeTakeFirst()) !== undefined;
}

/** A process that others took for dead lives: it has cost the families that it had no death. */
export async function takeDeathBack(on: RunDatabase, worker: string): Promise<void> {
  await on.write(async (trx) => {
    const taken = await trx
      .deleteFrom('runs_doubts')
      .where('worker', '=', worker)
      .returning('root_id')
      .execute();
    for (const rootId of taken.map(({ root_id }) => root_id).sort()) {
      await trx
        .updateTable('runs_runs')
        .set({ crashes: sql`crashes - 1` })
        .where('id', '=', rootId)
        .where('crashes', '>', 0)
        .execute();
      await tell(trx, on, rootId);
    }
    // Also where it costs nothing any more, since they got further meanwhile.
    const open = trx.selectFrom('runs_runs').select('root_id').where('status', 'not in', ENDED);
    await trx
      .updateTable('runs_events')
      .set({ data: JSON.stringify(leftBy(worker, 0)) })
      .where('run_id', 'in', trx.selectFrom('runs_runs').select('id').where('root_id', 'in', open))
      .where('type', '=', 'run.orphaned')
      .where('data', 'like', `%,"worker":${JSON.stringify(worker)}}`)
      .execute();
  });
}

/** Ends the families that were left until it was clear that a third process has died with them. */
export async function endCrashed(on: RunDatabase): Promise<void> {
  const { db, store } = on;
  for (const { id } of await crashedFamilies(db, on).orderBy('id').execute()) {
    await on.write(async (trx) => {
      const still = await trx
        .updateTable('runs_runs')
        .set({ updated_at: store.now })
        .where('id', '=', id)
        .where(isToEnd('runs_runs'))
        .returning('id')
        .executeTakeFirst();
      if (still && !(await isDoubted(trx, on, id))) await endFamily(trx, on, id);
    });
  }
}

export function crashedFamilies(db: RunTransaction, on: RunDatabase) {
  return db
    .selectFrom('runs_runs')
    .select('id')
    .where('status', 'in', OPEN)
    .whereRef('id', '=', 'root_id')
    .where(isToEnd('runs_runs'))
    .where(({ not, exists }) => not(exists(doubtsOf(db, on, sql.ref('runs_runs.id')))));
}

/** By then a process that comes back has another name, and its death has been settled. */
export async function forgetDoubts({ db, store }: RunDatabase): Promise<void> {
  const past = sql<number>`${store.now} - ${sql.lit(PAST_DOUBT_MS)}`;
  await db.deleteFrom('runs_doubts').where('until', '<=', past).execute();
}

/** Always the first run of a family before the others: of two that free, or claim, one waits for the other. */
async function lockFamiliesOf(trx: RunTransaction, { store }: RunDatabase, owner: string): Promise<void> {
  if (store.dialect !== 'postgres') return; // there each transaction that writes is alone
  const of = trx.selectFrom('runs_runs').select('root_id').where('owner', '=', owner);
  await trx
    .selectFrom('runs_runs')
    .select('id')
    .where('id', 'in', of.where('status', '=', 'running'))
    .orderBy('id')
    .forUpdate()
    .execute();
}

/** @returns how many processes have died with the family since a run of it last got a step further */
async function countCrash(trx: RunTransaction, rootId: string): Promise<number> {
  const done = stepsDone(rootId);
  const root = await trx
    .updateTable('runs_runs')
    .set({
      crashes: sql`case when crash_steps = ${done} then crashes + 1 else 1 end`,
      crash_steps: done,
    })
    .where('id', '=', rootId)
    .returning('crashes')
    .executeTakeFirst();
  const count = root?.crashes ?? 1;
  // What it died of before it got further is past, whoever lives of those.
  if (count === 1) await trx.deleteFrom('runs_doubts').where('root_id', '=', rootId).execute();
  return count;
}

/** Each run of it with the reason, those that others wait for first. */
async function endFamily(trx: RunTransaction, on: RunDatabase, rootId: string): Promise<void> {
  const members = await trx
    .selectFrom('runs_runs')
    .select(['id', 'title'])
    .where('root_id', '=', rootId)
    .where('status', 'not in', ENDED)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute();
  for (const { id, title } of members) await endRun(trx, on, id, { status: 'failed', error: crashed(title) });
}

function crashed(title: string): ToolError {
  return new ToolError(
    'NEXUS_CRASHED',
    `${MAX_CRASHES} server processes died while they ran "${title}", without getting a step further. It is not tried again; the log says how they died.`,
    { detail: { crashes: MAX_CRASHES } },
  );
}

/** How often processes have died with a family since it began, whoever had it go on since. */
export async function deathsOf({ db }: RunDatabase, family: readonly string[]): Promise<number> {
  const { deaths } = await db
    .selectFrom('runs_events')
    // Each run that a process had says the same of its death.
    .select(({ fn }) => fn.count<number>('data').distinct().as('deaths'))
    .where('run_id', 'in', family)
    .where('type', '=', 'run.orphaned')
    // Of a process that left it in good order, or lives, none counts.
    .where('data', 'not like', '{"crashes":0%')
    .executeTakeFirstOrThrow();
  return Number(deaths);
}

/** What processes died with before counts no more: a person says that it may go on. */
export async function forgetCrashes(trx: RunTransaction, rootId: string): Promise<void> {
  await trx.updateTable('runs_runs').set({ crashes: 0 }).where('id', '=', rootId).execute();
  await trx.deleteFrom('runs_doubts').where('root_id', '=', rootId).execute();
}
