import { hostname } from 'node:os';
import { type RunKindName, ToolError } from '@nexus/plugin-sdk';
import { sql } from 'kysely';
import { endRun } from './ending.ts';
import { errorText } from './errors.ts';
import { addOutsideEvent, tell } from './events.ts';
import type { OwnerChange, RunToken } from './fence.ts';
import { ENDED, type RunDatabase, type RunTransaction } from './run-database.ts';
import type { RunRow, StepRow } from './tables.ts';

/** A process that has not been heard of for so long is dead, wherever it runs. */
const LEASE_MS = 30_000;
/** How many processes may die with a run in hand that got no step further. */
const MAX_CRASHES = 3;
/** From here on it is run beside no other such one, so that the one that kills is found. */
const SUSPECT_CRASHES = 2;

export interface ClaimRequest {
  /** Asked once there is something to claim. */
  owner(): Promise<string>;
  readonly kinds: readonly RunKindName[];
  /** Runs that are still in this process's hands, from before it lost them. */
  readonly except: readonly string[];
  readonly limit: number;
  /** Whether one may be taken that processes have died with. */
  readonly takesSuspect: boolean;
}

/** A run with what is on record of it. */
export interface ClaimedRun {
  readonly run: RunRow;
  readonly steps: readonly StepRow[];
  /** The last number given in the run. */
  readonly seq: number;
}

/** Takes runs that nobody has and that are due, the longest due first. */
export async function claimRuns(on: RunDatabase, request: ClaimRequest): Promise<ClaimedRun[]> {
  const { kinds, except, limit } = request;
  if (kinds.length === 0 || limit <= 0) return [];
  const due = (db: RunTransaction) =>
    db
      .selectFrom('runs_runs')
      .select('id')
      .where('status', 'in', ['queued', 'waiting'])
      .where('wake_at', '<=', on.store.now)
      .where(({ eb, or, and }) =>
        or(kinds.map(({ name, version }) => and([eb('kind', '=', name), eb('version', '=', version)]))),
      )
      .$if(except.length > 0, (query) => query.where('id', 'not in', except))
      .orderBy('wake_at');
  // An idle look writes nothing: on SQLite each write transaction waits for the disk.
  if (!(await due(on.db).limit(1).executeTakeFirst())) return [];
  const owner = await request.owner();
  return on.db.transaction().execute(async (trx) => {
    const locking = on.store.dialect === 'postgres';
    const take = (isSuspect: boolean, most: number) =>
      due(trx)
        .where('crashes', isSuspect ? '>=' : '<', SUSPECT_CRASHES)
        .limit(most)
        .$if(locking, (query) => query.forUpdate().skipLocked())
        .execute();
    const ids = [...(await take(false, limit)), ...(request.takesSuspect ? await take(true, 1) : [])];
    const claimed: ClaimedRun[] = [];
    for (const { id } of ids) {
      const run = await trx
        .updateTable('runs_runs')
        .set({
          status: 'running',
          owner,
          epoch: sql`epoch + 1`,
          wake_at: null,
          error: null,
          updated_at: on.store.now,
        })
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirstOrThrow();
      await closeInterrupted(trx, on, id);
      claimed.push({ run, ...(await historyOf(trx, id)) });
    }
    return claimed;
  });
}

export function isSuspect({ crashes }: RunRow): boolean {
  return crashes >= SUSPECT_CRASHES;
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

/** What the last owner was in the middle of: nobody knows how far it came, nor what it paid for. */
async function closeInterrupted(trx: RunTransaction, on: RunDatabase, runId: string): Promise<void> {
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
  // Assumed to have been spent whole: a cap that is passed unseen would be worse.
  await trx.updateTable('runs_spending').set({ is_settled: 1 }).where('run_id', '=', runId).execute();
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

/** Other processes that have runs, and whether each was heard of lately. */
export async function otherOwners(
  { db, store }: RunDatabase,
  owner: string,
): Promise<{ owner: string; isRecent: boolean }[]> {
  const rows = await db
    .selectFrom('runs_runs')
    .leftJoin('runs_workers', 'runs_workers.id', 'runs_runs.owner')
    .select(['runs_runs.owner as owner', sql<number>`${store.now} - seen_at`.as('age')])
    .distinct()
    .where('runs_runs.status', '=', 'running')
    .where('runs_runs.owner', '!=', owner)
    .execute();
  return rows.map((row) => ({
    owner: row.owner ?? '',
    isRecent: row.age !== null && Number(row.age) < LEASE_MS,
  }));
}

/**
 * Frees what a dead process left. A run that it died with once too often ends instead.
 * @returns how many are free
 */
export async function freeRunsOf(on: RunDatabase, owner: string): Promise<number> {
  return on.db.transaction().execute(async (trx) => {
    // First, so that the process, should it live, learns of it before it claims again.
    await trx.deleteFrom('runs_workers').where('id', '=', owner).execute();
    const freed = await trx
      .updateTable('runs_runs')
      .set({
        status: 'queued',
        owner: null,
        wake_at: on.store.now,
        crashes: sql`crashes + 1`,
        updated_at: on.store.now,
      })
      .where('owner', '=', owner)
      .where('status', '=', 'running')
      .returning(['id', 'crashes', 'title'])
      .execute();
    for (const { id, crashes, title } of freed) {
      await addOutsideEvent(trx, on, id, { type: 'run.orphaned', data: { crashes } });
      await tell(trx, on, id);
      if (crashes >= MAX_CRASHES) await endRun(trx, on, id, { status: 'failed', error: crashed(title) });
    }
    return freed.length;
  });
}

function crashed(title: string): ToolError {
  return new ToolError(
    'NEXUS_CRASHED',
    `${MAX_CRASHES} server processes died while they ran "${title}", without getting a step further. It is not tried again; the log says how they died.`,
    { detail: { crashes: MAX_CRASHES } },
  );
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
    await on.db.transaction().execute((trx) => endRun(trx, on, id, { status: 'failed', error }));
  }
}

/** @returns milliseconds until the next run is due or out of time; undefined where none is */
export async function nextDueIn({ db, store }: RunDatabase): Promise<number | undefined> {
  const { due } = await db
    .selectFrom('runs_runs')
    .select(({ fn }) => fn.min<number | null>('wake_at').as('due'))
    .where('status', 'in', ['queued', 'waiting'])
    .executeTakeFirstOrThrow();
  const { deadline } = await db
    .selectFrom('runs_runs')
    .select(({ fn }) => fn.min<number | null>('deadline_at').as('deadline'))
    .where('status', 'not in', ENDED)
    .executeTakeFirstOrThrow();
  const at = Math.min(...[due, deadline].map((each) => (each === null ? Infinity : Number(each))));
  if (at === Infinity) return undefined;
  return Math.max(0, at - (await store.readNow(db)));
}
