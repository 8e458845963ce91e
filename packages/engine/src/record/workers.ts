import { hostname } from 'node:os';
import type { Dialect } from '@nexus/plugin-sdk';
import { sql } from 'kysely';
import { prepared } from './prepared.ts';
import type { RunDatabase, RunTransaction } from './run-database.ts';
import type { RunRow } from './tables.ts';

/** A process that has not been heard of for so long is dead, wherever it runs. */
const LEASE_MS = 30_000;

/** Makes this process known before it has a run. */
export async function enrol({ db, store }: RunDatabase, owner: string): Promise<void> {
  await db
    .insertInto('runs_workers')
    .values({ id: owner, host: hostname(), pid: process.pid, seen_at: store.now as never })
    // Its id was made for this write.
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** @returns whether the others still count on this process */
export async function renew(on: RunDatabase, owner: string): Promise<boolean> {
  const { rows } = await renewed(on.db, on, { owner });
  return rows.length > 0;
}

const renewed = prepared<{ owner: string }>((db, slot, { store }) =>
  db.updateTable('runs_workers').set({ seen_at: store.now }).where('id', '=', slot('owner')).returning('id'),
);

/** Whether nobody has taken its leave, nor taken it for dead. */
export async function isKnown(db: RunTransaction, owner: string): Promise<boolean> {
  const known = db.selectFrom('runs_workers').select('id').where('id', '=', owner);
  return (await known.executeTakeFirst()) !== undefined;
}

export async function dismiss({ db }: RunDatabase, owner: string): Promise<void> {
  await db.deleteFrom('runs_workers').where('id', '=', owner).execute();
}

/** Runs that are this process's by the record. */
export async function ownedRuns(
  { db }: RunDatabase,
  owner: string,
): Promise<{ id: string; epoch: number }[]> {
  return db
    .selectFrom('runs_runs')
    .select(['id', 'epoch'])
    .where('owner', '=', owner)
    .where('status', '=', 'running')
    .execute();
}

/** Another process that has runs. */
export interface OtherOwner {
  readonly owner: string;
  /** When it was heard of last, by the database's clock; null for one that never was. */
  readonly seenAt: number | null;
  /** It was heard of lately. */
  readonly isRecent: boolean;
  /** The store has just begun again, and it has had no time to be heard of since. */
  readonly isComingBack: boolean;
}

/** How long a process has after the store began again. */
const COME_BACK_MS = 10_000;

/** How long the store has been there; the embedded one goes with nobody's process. */
const STORE_AGE_MS = {
  sqlite: sql<number | null>`null`,
  postgres: sql<number | null>`extract(epoch from clock_timestamp() - pg_postmaster_start_time()) * 1000`,
} satisfies Record<Dialect, unknown>;

/** Other processes that have runs, and whether each was heard of lately. */
export async function otherOwners(on: RunDatabase, owner: string): Promise<OtherOwner[]> {
  const { rows } = await ownersBeside(on.db, on, { owner });
  return (rows as Owning[]).map(otherOwner);
}

interface Owning extends Pick<RunRow, 'owner'> {
  /** Since it was heard of, in milliseconds, as the database writes numbers; null for one that never was. */
  readonly age: number | string | null;
  readonly seen_at: number | string | null;
  readonly store_age: number | string | null;
}

export function otherOwner(row: Owning): OtherOwner {
  const age = row.age === null ? Number.POSITIVE_INFINITY : Number(row.age);
  const storeAge = row.store_age === null ? Number.POSITIVE_INFINITY : Number(row.store_age);
  return {
    owner: row.owner ?? '',
    seenAt: row.seen_at === null ? null : Number(row.seen_at),
    isRecent: age < LEASE_MS,
    isComingBack: storeAge < COME_BACK_MS && storeAge < age && row.age !== null,
  };
}

const ownersBeside = prepared<{ owner: string }>((db, slot, { store }) =>
  db
    .selectFrom('runs_runs')
    .leftJoin('runs_workers', 'runs_workers.id', 'runs_runs.owner')
    .select([
      'runs_runs.owner as owner',
      'runs_workers.seen_at as seen_at',
      sql<number>`${store.now} - seen_at`.as('age'),
      STORE_AGE_MS[store.dialect].as('store_age'),
    ])
    .groupBy(['runs_runs.owner', 'runs_workers.seen_at'])
    .where('runs_runs.status', '=', 'running')
    .where('runs_runs.owner', '!=', slot('owner')),
);
