import { hostname } from 'node:os';
import { type Dialect, type RunKindName, ToolError } from '@nexus/plugin-sdk';
import { sql } from 'kysely';
import { FAMILY_MS } from './creating.ts';
import { endRun } from './ending.ts';
import { errorText } from './errors.ts';
import { addOutsideEvent, tell } from './events.ts';
import { isSuspect, isToEnd } from './families.ts';
import type { OwnerChange, RunToken } from './fence.ts';
import { isOfJob, lockedRoom, projectRoom } from './room.ts';
import { ENDED, type RunDatabase, type RunTransaction } from './run-database.ts';
import type { RunRow, StepRow } from './tables.ts';

/** A process that has not been heard of for so long is dead, wherever it runs. */
const LEASE_MS = 30_000;
export interface ClaimRequest {
  /** Asked once there is something to claim. */
  owner(): Promise<string>;
  /** As this process is known; undefined before its first run. */
  readonly self: string | undefined;
  readonly kinds: readonly RunKindName[];
  /** Runs that are still in this process's hands, from before it lost them. */
  readonly except: readonly string[];
  /** Families that there is room for beside those in hand, whose runs are taken whatever the room. */
  readonly room: { readonly runs: number; readonly jobs: number };
  /** How many runs of the project may go on at a time, wherever. */
  readonly mostOfProject: number;
  /** Only these families; without it, all. */
  readonly only: readonly string[] | undefined;
  /** The family in hand that processes have died with: while there is one, no other such one is taken. */
  readonly suspect: string | undefined;
}

/** A run with what is on record of it. */
export interface ClaimedRun {
  readonly run: RunRow;
  readonly steps: readonly StepRow[];
  /** The last number given in the run. */
  readonly seq: number;
  /** Processes have died with its family, which has got no further since. */
  readonly isSuspect?: boolean;
}

/** What was taken, and whether there was more that could be. */
export interface Claimed {
  readonly runs: readonly ClaimedRun[];
  readonly isCut: boolean;
  /** So many runs of the project go on that no other may. */
  readonly isProjectFull: boolean;
}

const NONE: Claimed = { runs: [], isCut: false, isProjectFull: false };

/** Takes families that nobody has and of which something is due, the longest due first: what is due of each, whole. */
export async function claimRuns(on: RunDatabase, request: ClaimRequest): Promise<Claimed> {
  const { kinds, only, room, mostOfProject } = request;
  if (kinds.length === 0 || only?.length === 0) return NONE;
  // An idle look writes nothing: on SQLite each write transaction waits for the disk.
  const mine = await dueInHand(on, request);
  const ofProject = await projectRoom(on, mostOfProject);
  const mostRuns = Math.min(room.runs, ofProject);
  const runsDue = await dueElsewhere(on, { ...request, isSuspect: false, ofJobs: false, most: mostRuns });
  const jobsDue = await dueElsewhere(on, { ...request, isSuspect: false, ofJobs: true, most: room.jobs });
  // One at a time whatever the room, so that the one that kills is found; not beyond what the project may.
  const suspects =
    request.suspect === undefined
      ? await dueElsewhere(on, {
          ...request,
          isSuspect: true,
          ofJobs: ofProject <= 0 ? true : undefined,
          most: 1,
        })
      : [];
  const fresh = [...runsDue, ...jobsDue];
  if (mine.length + fresh.length + suspects.length === 0) return { ...NONE, isProjectFull: ofProject <= 0 };
  const owner = await request.owner();
  let before: Claimed = NONE;
  return on.write(async (trx, isAgain) => {
    const held = isAgain ? await stillHeld(trx, before.runs) : [];
    if (held.length > 0) return { ...before, runs: held };
    const others = [...new Set([...fresh, ...suspects])];
    const unlimited = await lockFamilies(trx, on, others);
    const left = await lockedRoom(trx, on, mostOfProject);
    const free = within(unlimited, left);
    const families = [...new Set([...mine, ...free])];
    const runs: ClaimedRun[] = [];
    for (const taken of await takeDue(trx, on, { ...request, self: owner, owner, families })) {
      const run = await bind(trx, on, taken);
      await closeInterrupted(trx, on, run.id);
      const isSuspect = suspects.includes(run.root_id);
      runs.push({ run, ...(await historyOf(trx, run.id)), isSuspect });
    }
    const isFilled = runsDue.length === mostRuns || jobsDue.length === room.jobs;
    const taken = free.filter((rootId) => !isJobsRoot(rootId)).length;
    before = { runs, isCut: isFilled || free.length < others.length, isProjectFull: left - taken <= 0 };
    return before;
  });
}

/** As many as the project has room for; jobs need none. */
function within(roots: readonly string[], room: number): string[] {
  let left = room;
  return roots.filter((rootId) => isJobsRoot(rootId) || left-- > 0);
}

/** Also of one that processes have died with. */
const isJobsRoot = (rootId: string) => rootId.startsWith('job_');

/** Those that a claim has taken whose answer was lost. */
async function stillHeld(trx: RunTransaction, claimed: readonly ClaimedRun[]): Promise<ClaimedRun[]> {
  const held: ClaimedRun[] = [];
  for (const each of claimed) {
    const { id, owner, epoch } = each.run;
    const found = await trx
      .selectFrom('runs_runs')
      .select('id')
      .where('id', '=', id)
      .where('owner', '=', owner)
      .where('epoch', '=', epoch)
      .where('status', '=', 'running')
      .executeTakeFirst();
    if (found) held.push(each);
  }
  return held;
}

type Due = Pick<ClaimRequest, 'kinds' | 'except' | 'only' | 'self' | 'suspect'>;

/** Whether another process has some of the family that a run of this table is of. */
const heldElsewhere = (table: 'run' | 'runs_runs', self: string | undefined) => sql<boolean>`exists (
  select 1 from runs_runs held
  where held.root_id = ${sql.ref(`${table}.root_id`)} and held.status = 'running' and held.owner <> ${self ?? ''})`;

/** Runs of `run` that this process could take, room or not. */
function dueRuns(db: RunTransaction, { store, home }: RunDatabase, { kinds, except, only, self }: Due) {
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
    .$if(except.length > 0, (query) => query.where('run.id', 'not in', except))
    .$if(only !== undefined, (query) => query.where('run.root_id', 'in', only ?? []));
}

/** Families of which this process has a run. */
const inHand = (self: string | undefined) => sql<string>`(
  select held.root_id from runs_runs held where held.owner = ${self ?? ''} and held.status = 'running')`;

async function dueInHand(on: RunDatabase, request: Due): Promise<string[]> {
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
async function dueElsewhere(
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

/** Of two processes that claim at once, one takes a family whole. @returns those that no other is at */
async function lockFamilies(trx: RunTransaction, { store }: RunDatabase, roots: string[]): Promise<string[]> {
  if (store.dialect !== 'postgres' || roots.length === 0) return roots;
  const locked = await trx
    .selectFrom('runs_runs')
    .select('id')
    .where('id', 'in', roots)
    .forUpdate()
    .skipLocked()
    .execute();
  return locked.map(({ id }) => id);
}

async function takeDue(
  trx: RunTransaction,
  on: RunDatabase,
  { owner, families, ...request }: Due & { owner: string; families: readonly string[] },
): Promise<RunRow[]> {
  if (families.length === 0) return [];
  const due = dueRuns(trx, on, { ...request, only: families });
  return trx
    .updateTable('runs_runs')
    .set({
      status: 'running',
      owner,
      epoch: sql`epoch + 1`,
      wake_at: null,
      error: null,
      updated_at: on.store.now,
    })
    .where('id', 'in', due.select('run.id'))
    .where('status', 'in', ['queued', 'waiting'])
    .returningAll()
    .execute();
}

/** A run of a kind that nobody knew where it was begun is bound to the machine that first goes on with it. */
async function bind(trx: RunTransaction, { home }: RunDatabase, run: RunRow): Promise<RunRow> {
  if (run.place || !home.isBound({ name: run.kind, version: run.version })) return run;
  const place = home.machine;
  await trx.updateTable('runs_runs').set({ place }).where('id', '=', run.id).execute();
  return { ...run, place };
}

export async function historyOf(
  db: RunTransaction,
  runId: string,
): Promise<{ steps: readonly StepRow[]; seq: number }> {
  const steps = await db.selectFrom('runs_steps').selectAll().where('run_id', '=', runId).execute();
  const { last } = await db
    .selectFrom('runs_events')
    .select(({ fn }) => fn.max<number | null>('seq').as('last'))
    .where('run_id', '=', runId)
    .executeTakeFirstOrThrow();
  return { steps, seq: Number(last ?? 0) };
}

/** What the last owner was in the middle of: nobody knows how far it came. */
export async function closeInterrupted(trx: RunTransaction, on: RunDatabase, runId: string): Promise<void> {
  const running = await trx
    .selectFrom('runs_steps')
    .selectAll()
    .where('run_id', '=', runId)
    .where('status', '=', 'running')
    .execute();
  for (const { name, attempt, is_repeatable } of running) {
    await addOutsideEvent(trx, on, runId, { type: 'step.interrupted', step: name, attempt });
    const change = is_repeatable
      ? { status: 'waiting' as const, wake_at: on.store.now }
      : {
          status: 'failed' as const,
          error: errorText(outcomeUnknown()),
          ended_at: on.store.now,
          end_seq: sql<number>`(select max(seq) from runs_events where run_id = ${runId})`,
        };
    await trx
      .updateTable('runs_steps')
      .set(change)
      .where('run_id', '=', runId)
      .where('name', '=', name)
      .execute();
  }
}

function outcomeUnknown(): ToolError {
  return new ToolError(
    'NEXUS_OUTCOME_UNKNOWN',
    'The server that ran this ended before the work did, and doing it again could do it twice. Look at its effect first.',
  );
}

/** Gives a run up: queued for whoever comes next, waiting for what its steps wait for, or paused. */
export function leaveRun(
  on: RunDatabase,
  token: RunToken,
  how: {
    readonly status: 'queued' | 'waiting' | 'paused';
    readonly error?: unknown;
    readonly event?: string;
  },
): OwnerChange<void> {
  const { status, error } = how;
  const { now } = on.store;
  const open = (trx: RunTransaction) =>
    trx.selectFrom('runs_steps').where('run_id', '=', token.runId).where('end_seq', 'is', null);
  return {
    isLast: true,
    async work(trx) {
      let wake_at: unknown = status === 'queued' ? now : null;
      if (status === 'waiting') {
        const arrived = await open(trx).select('name').where('status', '!=', 'waiting').executeTakeFirst();
        const { first } = await open(trx)
          .select(({ fn }) => fn.min<number | null>('wake_at').as('first'))
          .executeTakeFirstOrThrow();
        wake_at = arrived ? now : first;
      }
      if (how.event) await addOutsideEvent(trx, on, token.runId, { type: how.event });
      await trx
        .updateTable('runs_runs')
        .set({
          status,
          owner: null,
          wake_at: wake_at as never,
          error: error === undefined ? null : errorText(error),
        })
        .where('id', '=', token.runId)
        .execute();
      await tell(trx, on, token.runId);
    },
  };
}

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
export async function renew({ db, store }: RunDatabase, owner: string): Promise<boolean> {
  const seen = await db
    .updateTable('runs_workers')
    .set({ seen_at: store.now })
    .where('id', '=', owner)
    .returning('id')
    .executeTakeFirst();
  return seen !== undefined;
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
export async function otherOwners({ db, store }: RunDatabase, owner: string): Promise<OtherOwner[]> {
  const rows = await db
    .selectFrom('runs_runs')
    .leftJoin('runs_workers', 'runs_workers.id', 'runs_runs.owner')
    .select([
      'runs_runs.owner as owner',
      sql<number>`${store.now} - seen_at`.as('age'),
      STORE_AGE_MS[store.dialect].as('store_age'),
    ])
    .groupBy(['runs_runs.owner', 'runs_workers.seen_at'])
    .where('runs_runs.status', '=', 'running')
    .where('runs_runs.owner', '!=', owner)
    .execute();
  return rows.map((row) => {
    const age = row.age === null ? Number.POSITIVE_INFINITY : Number(row.age);
    const storeAge = row.store_age === null ? Number.POSITIVE_INFINITY : Number(row.store_age);
    return {
      owner: row.owner ?? '',
      isRecent: age < LEASE_MS,
      isComingBack: storeAge < COME_BACK_MS && storeAge < age && row.age !== null,
    };
  });
}

/** @returns the families of these that are over, or no longer on record */
export async function endedOf({ db }: RunDatabase, rootIds: readonly string[]): Promise<string[]> {
  if (rootIds.length === 0) return [];
  const open = await db
    .selectFrom('runs_runs')
    .select('root_id')
    .distinct()
    .where('root_id', 'in', rootIds)
    .where('status', 'not in', ENDED)
    .execute();
  const found = new Set(open.map(({ root_id }) => root_id));
  return rootIds.filter((rootId) => !found.has(rootId));
}

/** Ends what has run out of time, wherever it is. */
export async function endOverdue(on: RunDatabase): Promise<void> {
  const overdue = await on.db
    .selectFrom('runs_runs')
    .select(['id', 'title'])
    .where('deadline_at', '<=', on.store.now)
    .where('status', 'not in', ENDED)
    .execute();
  for (const { id, title } of overdue) {
    const error = new ToolError('NEXUS_TIMEOUT', `"${title}" did not end within the time that it was given.`);
    await on.write((trx) => endRun(trx, on, id, { status: 'failed', error }));
  }
}

/**
 * @returns milliseconds until something comes that this process could do: a run of a kind that it knows is due, or
 * any is out of time; undefined where nothing does. What is due already, and left to no other process, waits for
 * room, and is told when there is.
 */
export async function nextDueIn(
  { db, store, home }: RunDatabase,
  { kinds, self }: Pick<ClaimRequest, 'kinds' | 'self'>,
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
