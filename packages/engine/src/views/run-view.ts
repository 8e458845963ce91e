import type { AskedQuestion, Budget, Run, RunError, RunStatus, Spend } from '@nexus/plugin-sdk';
import { sql } from 'kysely';
import { readError } from '../record/errors.ts';
import { familyOf, familyTable } from '../record/family-of.ts';
import { openQuestions } from '../record/questions.ts';
import { ENDED, hasEnded, type RunDatabase } from '../record/run-database.ts';
import { capOf, NO_CALLS, type Spending, spendingOfFamily, spendingUnder } from '../record/spending.ts';
import type { RunRow } from '../record/tables.ts';
import { firstAhead } from '../record/turns.ts';
import { fromStored } from '../record/values.ts';
import { missingPlugin } from './missing-plugin.ts';

/** Whether the process that a run is on record as running in is there. */
export type IsThere = (owner: string) => Promise<boolean>;

export async function toRun(on: RunDatabase, row: RunRow, isThere: IsThere): Promise<Run> {
  const status = await shownStatus(on, row, isThere);
  const asks = hasEnded(status) ? [] : await asksOf(on, row);
  const error = readError(row.error);
  const message = await messageOf(on, row, { status, error });
  const { db } = on;
  const { id: runId, root_id: rootId } = row;
  const ofFamily = await spendingOfFamily(on, rootId);
  const own = runId === rootId ? ofFamily : await spendingUnder(db, { rootId, runId });
  const output = row.status === 'completed' ? await fromStored(db, row.id, row.output) : undefined;
  return described(row, {
    status,
    error,
    message,
    asks,
    ofFamily,
    own,
    cap: await capAbove(on, row),
    output,
    isOrphan: await isOrphan(row, isThere),
  });
}

/** Whether the process is gone that it is on record as running in, and nobody has gone on with it yet. */
export async function isOrphan(
  { status, owner }: Pick<RunRow, 'status' | 'owner'>,
  isThere: IsThere,
): Promise<boolean> {
  return status === 'running' && owner !== null && !(await isThere(owner));
}

/** A first run that runs since just now, with nothing of it done: there is nothing to be read. */
export function toNewRun(row: RunRow): Run {
  const { status } = row;
  return described(row, { status, asks: [], ofFamily: NO_CALLS, own: NO_CALLS, cap: capOf(row) });
}

interface Known {
  readonly status: RunStatus;
  readonly error?: RunError | undefined;
  readonly message?: string | undefined;
  readonly asks: readonly AskedQuestion[];
  readonly ofFamily: Spending;
  readonly own: Spending;
  readonly cap: Partial<Spend>;
  readonly output?: unknown;
  /** Then what was in flight was interrupted. */
  readonly isOrphan?: boolean;
}

function described(row: RunRow, known: Known): Run {
  const { status, error, message, asks, cap, output } = known;
  const ofFamily = known.isOrphan ? withoutFlight(known.ofFamily) : known.ofFamily;
  const own = known.isOrphan ? withoutFlight(known.own) : known.own;
  return {
    id: row.id,
    kind: row.kind,
    version: row.version,
    title: row.title,
    status,
    ...(message === undefined ? {} : { message }),
    ...(row.parent_id === null ? {} : { parentId: row.parent_id }),
    ...(row.parent_step === null ? {} : { parentStep: row.parent_step }),
    rootId: row.root_id,
    ...(row.rerun_of === null ? {} : { rerunOf: row.rerun_of }),
    createdAt: isoTime(row.created_at),
    updatedAt: isoTime(row.updated_at),
    ...(row.ended_at === null ? {} : { endedAt: isoTime(row.ended_at) }),
    ...(output === undefined ? {} : { output }),
    ...(error === undefined ? {} : { error: withoutNumber(error) }),
    budget: budgetOf(ofFamily, cap),
    usage: {
      ...own.usage,
      calls: own.calls,
      ...(own.keptCalls === 0 ? {} : { keptCalls: own.keptCalls }),
      ...unknownIn(own),
    },
    ...(asks.length === 0 ? {} : { asks }),
  };
}

/** Of a run that nobody has in hand: what was asked and has not come is not known. */
function withoutFlight(spending: Spending): Spending {
  return { ...spending, unknownCalls: spending.unknownCalls + spending.callsInFlight, callsInFlight: 0 };
}

/** By one query where nothing is asked, as is the rule. */
async function asksOf(on: RunDatabase, { id, root_id }: RunRow): Promise<readonly AskedQuestion[]> {
  const asked = await openQuestions(
    on,
    on.db.selectFrom('runs_runs').select('id').where('root_id', '=', root_id),
  );
  if (asked.length === 0 || id === root_id) return asked;
  const own = new Set(await familyOf(on, id));
  return asked.filter(({ runId }) => own.has(runId));
}

export function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}

export function withoutNumber({ code, message, detail }: RunError): RunError {
  return { code, message, ...(detail === undefined ? {} : { detail }) };
}

/** That of the family's first run holds for all of it. */
async function capAbove({ db }: RunDatabase, row: RunRow): Promise<Partial<Spend>> {
  if (row.id === row.root_id) return capOf(row);
  const root = await db
    .selectFrom('runs_runs')
    .select(['cap_tokens', 'cap_micros'])
    .where('id', '=', row.root_id)
    .executeTakeFirst();
  return root ? capOf(root) : {};
}

function budgetOf(spending: Spending, cap: Partial<Spend>): Budget {
  const { spent, reserved } = spending;
  return {
    spent,
    reserved,
    ...unknownIn(spending),
    ...(Object.keys(cap).length === 0 ? {} : { cap }),
  };
}

function unknownIn({ unknownCalls }: Spending): Pick<Budget, 'unknownCalls'> {
  return unknownCalls === 0 ? {} : { unknownCalls };
}

/** What can be said of a run from its own row, and from what its family does. */
export async function shownStatus(
  on: RunDatabase,
  row: Pick<RunRow, 'id' | 'status' | 'owner'>,
  isThere: IsThere,
): Promise<RunStatus> {
  if (hasEnded(row.status) || row.status === 'paused') return row.status;
  // Before anything else: a run of a dead process is run by nobody.
  if (row.status === 'queued' || (row.owner !== null && !(await isThere(row.owner)))) {
    return leftAs(on, row.id);
  }
  const { running, paused, waiting } = await doingOf(on, row.id);
  if (running) return 'running';
  if (paused) return 'paused';
  return waiting ? 'waiting' : row.status;
}

/**
 * What a family is that nobody has in hand: also one whose process was ended as it waited, which has on record that
 * it is to be gone on with, has nothing to do before what its members wait for has come.
 */
async function leftAs({ db, store }: RunDatabase, runId: string): Promise<'queued' | 'paused' | 'waiting'> {
  const ended = sql.join(ENDED);
  const { rows } = await sql<{ status: RunStatus; waits: boolean | number; due: boolean | number }>`
    ${familyTable(runId)}, steps as (
      select step.run_id, step.status, step.wake_at, exists (
        select 1 from runs_runs child where child.parent_id = step.run_id and child.parent_step = step.name
        and child.status not in (${ended})) as begun
      from runs_steps step join family on step.run_id = family.id
      where step.end_seq is null and (step.error is null or step.error not like ${UNKNOWN}))
    select run.status,
      exists (select 1 from steps where steps.run_id = run.id) as waits,
      exists (select 1 from steps where steps.run_id = run.id and not steps.begun
        and (steps.status <> 'waiting' or steps.wake_at <= ${store.now})) as due
    from runs_runs run join family on run.id = family.id where run.status not in (${ended})`.execute(db);
  if (rows.some(({ status, waits, due }) => status !== 'paused' && (due || !waits))) return 'queued';
  return rows.some(({ status }) => status === 'paused') ? 'paused' : 'waiting';
}

/** How the error begins of what nobody knows the outcome of: nothing is done of it, nor waited for. */
const UNKNOWN = '{"code":"NEXUS_OUTCOME_UNKNOWN"%';

/** As the database says it: SQLite has numbers for it. */
type Doing = Readonly<Record<'running' | 'paused' | 'waiting', boolean | number>>;

/**
 * By one statement: who waits for a run asks it each half a second. What a run was in the middle of as it was paused is
 * not under way, though its step says so until the run is gone on with.
 */
async function doingOf({ db }: RunDatabase, runId: string): Promise<Doing> {
  const step = (status: 'running' | 'waiting') => sql`exists (
    select 1 from runs_steps step join family on step.run_id = family.id join runs_runs run on run.id = family.id
    where step.status = ${status} and run.status <> 'paused')`;
  const paused = sql`exists (
    select 1 from runs_runs run join family on run.id = family.id where run.status = 'paused')`;
  const asked = sql<Doing>`${familyTable(runId)}
    select ${step('running')} as running, ${paused} as paused, ${step('waiting')} as waiting`;
  const { rows } = await asked.execute(db);
  return rows[0] as Doing;
}

/** Whether any of a family does something else than to wait: for a person, a time, another of them. */
export async function isWorking({ db }: RunDatabase, members: readonly string[]): Promise<boolean> {
  const working = await db
    .selectFrom('runs_steps as step')
    .innerJoin('runs_runs as run', 'run.id', 'step.run_id')
    .select('step.name')
    .where('step.run_id', 'in', members)
    .where('step.status', '=', 'running')
    .where('run.status', '!=', 'paused')
    // A step that called for a run waits for that one, which tells of itself.
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('runs_runs as child')
            .select('child.id')
            .whereRef('child.parent_id', '=', 'step.run_id')
            .whereRef('child.parent_step', '=', 'step.name')
            .where('child.status', 'not in', ENDED),
        ),
      ),
    )
    .executeTakeFirst();
  return working !== undefined;
}

async function messageOf(
  on: RunDatabase,
  row: RunRow,
  { status, error }: { status: RunStatus; error: RunError | undefined },
): Promise<string | undefined> {
  if (error) return error.message;
  const missing = await missingPlugin(on, row, status);
  if (missing !== undefined) return missing;
  // What it does now: nothing any more.
  if (status === 'completed') return undefined;
  if (status === 'paused') return (await pausedWithin(on, row)) ?? row.message ?? undefined;
  if (status !== 'queued') return row.message ?? undefined;
  const ahead = row.status === 'queued' && row.wake_at === null ? await firstAhead(on, row.id) : undefined;
  if (ahead) return `It waits for its turn: run ${ahead.id} of its key comes first, and is not over.`;
  if (row.status === 'running') {
    return 'The process that ran it has died, or was not heard of for too long: the next server that has its plugin goes on with it, and so does `nexus runs resume`.';
  }
  if (row.place) {
    return `It waits for a server on machine ${row.place}, where its files are, that has its plugin.`;
  }
  if (row.epoch > 0) {
    return 'It was left before its end, and what is done is kept: the next server that has its plugin, and room, goes on with it, and so does `nexus runs resume`.';
  }
  return 'Nobody has taken it up yet: the next server that has its plugin, and room, goes on with it, and so does a command that was given it.';
}

/** Why a run stands that waits for one that paused. */
async function pausedWithin(on: RunDatabase, { id }: RunRow): Promise<string | undefined> {
  const paused = await on.db
    .selectFrom('runs_runs')
    .select(['id', 'error'])
    .where('id', 'in', await familyOf(on, id))
    .where('status', '=', 'paused')
    .where('error', 'is not', null)
    .orderBy('created_at')
    .executeTakeFirst();
  const error = readError(paused?.error ?? null);
  return paused && error && `Run ${paused.id} within it is paused: ${error.message}`;
}
