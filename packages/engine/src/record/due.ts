import type { RunKindName } from '@nexus/plugin-sdk';
import { sql } from 'kysely';
import { FAMILY_MS } from './creating.ts';
import { isSuspect, isToEnd } from './families.ts';
import { JOB_KIND } from './job-kind.ts';
import { isOfJob } from './room.ts';
import { ENDED, type RunDatabase, type RunTransaction } from './run-database.ts';

/** What a process could take. */
export interface Due {
  /** As this process is known; undefined before its first run. */
  readonly self: string | undefined;
  readonly kinds: readonly RunKindName[];
  /** Runs that are still in this process's hands, from before it lost them. */
  readonly except: readonly string[];
  /** Tools whose jobs are left to who has them. */
  readonly lacking: readonly string[];
  /** Only these families; without it, all. */
  readonly only: readonly string[] | undefined;
  /** The family in hand that processes have died with: while there is one, no other such one is taken. */
  readonly suspect: string | undefined;
}

/** Whether another process has some of the family that a run of this table is of. */
const heldElsewhere = (table: 'run' | 'runs_runs', self: string | undefined) => sql<boolean>`exists (
  select 1 from runs_runs held
  where held.root_id = ${sql.ref(`${table}.root_id`)} and held.status = 'running' and held.owner <> ${self ?? ''})`;

/** Runs of `run` that this process could take, room or not. */
export function dueRuns(
  db: RunTransaction,
  { store, home }: RunDatabase,
  { kinds, except, lacking, only, self }: Due,
) {
  return db
    .selectFrom('runs_runs as run')
    .where('run.status', 'in', ['queued', 'waiting'])
    .where('run.wake_at', '<=', store.now)
    .where(({ eb, or, and }) =>
      or(kinds.map(({ name, version }) => and([eb('run.kind', '=', name), eb('run.version', '=', version)]))),
    )
    .where(({ eb, or }) => or([eb('run.place', 'is', null), eb('run.place', '=', home.machine)]))
    .where(
      sql<boolean>`(run.wake_at <= ${store.now} - ${sql.lit(FAMILY_MS)} or not ${heldElsewhere('run', self)})`,
    )
    .$if(lacking.length > 0, (query) =>
      query.where(({ or, eb }) => or([eb('run.kind', '!=', JOB_KIND), eb('run.title', 'not in', lacking)])),
    )
    .$if(except.length > 0, (query) => query.where('run.id', 'not in', except))
    .$if(only !== undefined, (query) => query.where('run.root_id', 'in', only ?? []));
}

/** Families of which this process has a run. */
const inHand = (self: string | undefined) => sql<string>`(
  select held.root_id from runs_runs held where held.owner = ${self ?? ''} and held.status = 'running')`;

export async function dueInHand(on: RunDatabase, request: Due): Promise<string[]> {
  const { self, suspect } = request;
  if (self === undefined) return [];
  const rows = await dueRuns(on.db, on, request)
    .select('run.root_id as rootId')
    .distinct()
    .where('run.root_id', 'in', inHand(self))
    .where(sql<boolean>`(run.root_id = ${suspect ?? ''} or not ${isSuspect('run')})`)
    .execute();
  return rows.map(({ rootId }) => rootId);
}

/** The longest due first. One that is suspect may be in hand as well: what was done of it here had come to rest. */
export async function dueElsewhere(
  on: RunDatabase,
  {
    isSuspect: isWanted,
    ofJobs,
    most,
    ...request
  }: Due & { isSuspect: boolean; ofJobs: boolean | undefined; most: number },
): Promise<string[]> {
  if (most <= 0) return [];
  const rows = await dueRuns(on.db, on, request)
    .select('run.root_id as rootId')
    .where(
      isWanted
        ? sql<boolean>`(${isSuspect('run')} and not ${isToEnd('run')})`
        : sql<boolean>`not ${isSuspect('run')}`,
    )
    .$if(ofJobs !== undefined, (query) => query.where(ofJobs ? isOfJob : sql<boolean>`not ${isOfJob}`))
    .$if(!isWanted, (query) => query.where('run.root_id', 'not in', inHand(request.self)))
    .orderBy('run.wake_at')
    .limit(most)
    .execute();
  return rows.map(({ rootId }) => rootId);
}

/**
 * @returns milliseconds until something comes that this process could do: a run of a kind that it knows is due, or
 * any is out of time; undefined where nothing does. What is due already, and left to no other process, waits for
 * room, and is told when there is.
 */
export async function nextDueIn(
  { db, store, home }: RunDatabase,
  { kinds, self }: Pick<Due, 'kinds' | 'self'>,
): Promise<number | undefined> {
  const { now } = store;
  const known = db
    .selectFrom('runs_runs')
    .where('status', 'in', ['queued', 'waiting'])
    .where(({ eb, or }) => or([eb('place', 'is', null), eb('place', '=', home.machine)]))
    .where(({ eb, or, and }) =>
      or(kinds.map(({ name, version }) => and([eb('kind', '=', name), eb('version', '=', version)]))),
    )
    .select(({ fn }) => fn.min('wake_at').as('first'));
  const justDue = sql<number>`${now} - ${sql.lit(FAMILY_MS)}`;
  const left = known
    .where('wake_at', '>', justDue)
    .where('wake_at', '<=', now)
    .where(heldElsewhere('runs_runs', self));
  const overdue = db
    .selectFrom('runs_runs')
    .where('status', 'not in', ENDED)
    .where('deadline_at', '>', now)
    .select(({ fn }) => fn.min('deadline_at').as('first'));
  // By one statement: each look ends with it.
  const { rows } = await sql<
    Record<'now' | 'due' | 'left' | 'deadline', number | null>
  >`select ${now} as "now",
    (${known.where('wake_at', '>', now)}) as "due", (${left}) as "left", (${overdue}) as "deadline"`.execute(
    db,
  );
  const [next] = rows;
  if (!next) return undefined;
  const inMs = (at: number | null, plusMs = 0) =>
    at === null ? Number.POSITIVE_INFINITY : Number(at) - Number(next.now) + plusMs;
  const first = Math.min(inMs(next.due), inMs(next.left, FAMILY_MS), inMs(next.deadline));
  return first === Number.POSITIVE_INFINITY ? undefined : first;
}
