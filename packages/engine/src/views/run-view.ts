import type { Budget, Run, RunError, RunStatus } from '@nexus/plugin-sdk';
import { sql } from 'kysely';
import { readError } from '../record/errors.ts';
import { hasEnded, type RunDatabase } from '../record/run-database.ts';
import { capOf, spendingOf } from '../record/spending.ts';
import type { RunRow } from '../record/tables.ts';
import { fromStored } from '../record/values.ts';

/** Whether the process that a run is on record as running in is there. */
export type IsThere = (owner: string) => Promise<boolean>;

export async function toRun(on: RunDatabase, row: RunRow, isThere: IsThere): Promise<Run> {
  const error = readError(row.error);
  const status = await statusOf(on, row, isThere);
  const message = messageOf(row, status, error);
  const { db } = on;
  const output = row.status === 'completed' ? await fromStored(db, row.id, row.output) : undefined;
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
    budget: await budgetOf(on, row),
  };
}

export function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}

export function withoutNumber({ code, message, detail }: RunError): RunError {
  return { code, message, ...(detail === undefined ? {} : { detail }) };
}

async function budgetOf({ db }: RunDatabase, row: RunRow): Promise<Budget> {
  const root =
    row.id === row.root_id
      ? row
      : await db.selectFrom('runs_runs').selectAll().where('id', '=', row.root_id).executeTakeFirst();
  const cap = root ? capOf(root) : {};
  const spending = await spendingOf(db, { rootId: row.root_id });
  return { ...spending, ...(Object.keys(cap).length === 0 ? {} : { cap }) };
}

/** What can be said of a run from its own row, and from what its family does. */
export async function statusOf(on: RunDatabase, row: RunRow, isThere: IsThere): Promise<RunStatus> {
  if (hasEnded(row.status) || row.status === 'paused' || row.status === 'queued') return row.status;
  // Before anything else: a run of a dead process is run by nobody.
  if (row.owner !== null && !(await isThere(row.owner))) return 'queued';
  const members = await familyOf(on, row.id);
  const { running, waiting } = await stepsOf(on, members);
  if (running > 0) return 'running';
  const paused = await on.db
    .selectFrom('runs_runs')
    .select('id')
    .where('id', 'in', members)
    .where('status', '=', 'paused')
    .executeTakeFirst();
  if (paused) return 'paused';
  return waiting > 0 ? 'waiting' : row.status;
}

/** A run and those that it waits for, with theirs. */
export async function familyOf({ db }: RunDatabase, runId: string): Promise<string[]> {
  const found = [runId];
  for (let level = [runId]; level.length > 0; ) {
    const children = await db.selectFrom('runs_runs').select('id').where('parent_id', 'in', level).execute();
    level = children.map(({ id }) => id);
    found.push(...level);
  }
  return found;
}

async function stepsOf(
  { db }: RunDatabase,
  runs: readonly string[],
): Promise<{ running: number; waiting: number }> {
  const rows = await db
    .selectFrom('runs_steps')
    .select(['status', sql<number>`count(*)`.as('count')])
    .where('run_id', 'in', runs)
    .where('status', 'in', ['running', 'waiting'])
    .groupBy('status')
    .execute();
  const count = (status: string) => Number(rows.find((row) => row.status === status)?.count ?? 0);
  return { running: count('running'), waiting: count('waiting') };
}

function messageOf(row: RunRow, status: RunStatus, error: RunError | undefined): string | undefined {
  if (error) return error.message;
  if (status === 'queued') return 'No server runs it now; the next one that has its plugin goes on with it.';
  return row.message ?? undefined;
}
