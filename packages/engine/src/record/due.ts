import type { RunKindName } from '@nexus/plugin-sdk';
import { sql } from 'kysely';
import { FAMILY_MS } from './creating.ts';
import { isSuspect, isToEnd } from './families.ts';
import { JOB_KIND } from './job-kind.ts';
import { shaped } from './prepared.ts';
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

/** Where a process is. */
interface Placed {
  readonly home: { readonly machine: string };
}

/** Runs of `run` that this process could take, room or not. */
export function dueRuns(
  db: RunTransaction,
  { store, home }: Pick<RunDatabase, 'store'> & Placed,
  { kinds, except, lacking, only, self }: Omit<Due, 'suspect'>,
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
  return rootsOf(await inHandDue(on.db, on, { ...askedOf(on, request), self, suspect }));
}

const inHandDue = shaped<Asked & Pick<Due, 'suspect'>>((db, { suspect, home, ...asked }, { store }) =>
  dueRuns(db, { store, home }, asked)
    .select('run.root_id as rootId')
    .distinct()
    .where('run.root_id', 'in', inHand(asked.self))
    .where(sql<boolean>`(run.root_id = ${suspect ?? ''} or not ${isSuspect('run')})`),
);

/** What tells runs that are due from others. */
type Asked = Omit<Due, 'suspect'> & Placed;

/** Without what else comes with a request. */
function askedOf({ home }: RunDatabase, { self, kinds, except, lacking, only }: Due): Asked {
  return { ...knownBy(home, kinds), self, except, lacking, only };
}

function knownBy({ machine }: Placed['home'], kinds: Due['kinds']): Pick<Due, 'kinds'> & Placed {
  return { home: { machine }, kinds: kinds.map(({ name, version }) => ({ name, version })) };
}

function rootsOf({ rows }: { readonly rows: readonly unknown[] }): string[] {
  return (rows as { rootId: string }[]).map(({ rootId }) => rootId);
}

/** The longest due first. One that is suspect may be in hand as well: what was done of it here had come to rest. */
export async function dueElsewhere(
  on: RunDatabase,
  { isSuspect: isWanted, ofJobs, most, ...request }: Due & Choice,
): Promise<string[]> {
  if (most <= 0) return [];
  return rootsOf(
    await elsewhereDue(on.db, on, { ...askedOf(on, request), isSuspect: isWanted, ofJobs, most }),
  );
}

interface Choice {
  readonly isSuspect: boolean;
  readonly ofJobs: boolean | undefined;
  readonly most: number;
}

const elsewhereDue = shaped<Asked & Choice>(
  (db, { isSuspect: isWanted, ofJobs, most, home, ...asked }, { store }) =>
    dueRuns(db, { store, home }, asked)
      .select('run.root_id as rootId')
      .where(
        isWanted
          ? sql<boolean>`(${isSuspect('run')} and not ${isToEnd('run')})`
          : sql<boolean>`not ${isSuspect('run')}`,
      )
      .$if(ofJobs !== undefined, (query) => query.where(ofJobs ? isOfJob : sql<boolean>`not ${isOfJob}`))
      .$if(!isWanted, (query) => query.where('run.root_id', 'not in', inHand(asked.self)))
      .orderBy('run.wake_at')
      .limit(most),
);

/** What there is for this process to do, now and later. */
export interface Coming {
  /** A run of a kind that it knows is due: without one there is nothing to claim. */
  readonly isDue: boolean;
  /**
   * Milliseconds until something comes that it could do: a run of a kind that it knows is due, or any is out of time,
   * which may be over already; undefined where nothing does. What is due already, and left to no other process, waits
   * for room, and is told when there is.
   */
  readonly nextInMs: number | undefined;
}

export async function whatComes(
  on: RunDatabase,
  { kinds, self }: Pick<Due, 'kinds' | 'self'>,
): Promise<Coming> {
  const { rows } = await nextDue(on.db, on, { ...knownBy(on.home, kinds), self });
  const [next] = rows as [Record<'now' | 'due' | 'left' | 'deadline', number | null> & { is_due: unknown }];
  const inMs = (at: number | null, plusMs = 0) =>
    at === null ? Number.POSITIVE_INFINITY : Number(at) - Number(next.now) + plusMs;
  const first = Math.min(inMs(next.due), inMs(next.left, FAMILY_MS), inMs(next.deadline));
  const nextInMs = first === Number.POSITIVE_INFINITY ? undefined : first;
  return { isDue: Boolean(next.is_due), nextInMs };
}

/** By one statement: each look makes it. */
const nextDue = shaped<Pick<Due, 'kinds' | 'self'> & Placed>(
  (db, { kinds, self, home }, { store: { now } }) => {
    const mine = db
      .selectFrom('runs_runs')
      .where('status', 'in', ['queued', 'waiting'])
      .where(({ eb, or }) => or([eb('place', 'is', null), eb('place', '=', home.machine)]))
      .where(({ eb, or, and }) =>
        or(kinds.map(({ name, version }) => and([eb('kind', '=', name), eb('version', '=', version)]))),
      );
    const known = mine.select(({ fn }) => fn.min('wake_at').as('first'));
    const justDue = sql<number>`${now} - ${sql.lit(FAMILY_MS)}`;
    const left = known
      .where('wake_at', '>', justDue)
      .where('wake_at', '<=', now)
      .where(heldElsewhere('runs_runs', self));
    const overdue = db
      .selectFrom('runs_runs')
      .where('status', 'not in', ENDED)
      .select(({ fn }) => fn.min('deadline_at').as('first'));
    const isDue = sql<boolean>`exists ${mine.select('id').where('wake_at', '<=', now)}`;
    const all = sql`select ${now} as "now", ${isDue} as "is_due",
    (${known.where('wake_at', '>', now)}) as "due", (${left}) as "left", (${overdue}) as "deadline"`;
    return { compile: () => all.compile(db) };
  },
);
