import { originOf } from './kept-call.ts';
import { isOfUnknownOutcome, isUnknown } from './kept-steps.ts';
import { untilRefused } from './refused-steps.ts';
import type { RunDatabase } from './run-database.ts';
import type { CallRow, RunRow, SpendingRow, StepRow } from './tables.ts';
import { fromStored } from './values.ts';

/*
 * What a step had done in the run that its own run goes on from, and in those before, where it is not kept as a whole: it
 * began after a failure, or was cut off. Done anew, it is given the answers of the calls that it makes again.
 */

/** A run that another goes on from. */
export type RunBefore = Pick<RunRow, 'id' | 'error'>;

export interface DoneBefore {
  /** Its last end, where that was a good one. */
  readonly completed: StepRow | undefined;
  /** Of what it was given as it was done; null where nothing says so. */
  readonly digest: string | null;
  /** Whether it did what must not be done twice. */
  readonly isOnce: boolean;
  /** Whether somebody was told of it as of unknown outcome, and has it done again. */
  readonly wasTold: boolean;
  /** Calls of models that were paid, with their answers. */
  readonly paid: readonly PaidCall[];
  /** Calls of tools that must not be made twice. */
  readonly calls: readonly CallRow[];
}

export type PaidCall = SpendingRow & { readonly answer: string };

/** @param before the runs that its own goes on from, the last first */
export async function doneBefore(
  { db }: Pick<RunDatabase, 'db'>,
  before: readonly RunBefore[],
  step: string,
): Promise<DoneBefore | undefined> {
  // An answer that was of no use is asked for again.
  const asked = untilRefused(before, step);
  if (asked.length === 0) return undefined;
  const ids = asked.map(({ id }) => id);
  const rows = await db
    .selectFrom('runs_steps')
    .selectAll()
    .where('run_id', 'in', ids)
    .where('name', '=', step)
    .where('kind', '=', 'step')
    .execute();
  if (rows.length === 0) return undefined;
  const along = asked.map((run) => ({ run, row: rows.find(({ run_id }) => run_id === run.id) }));
  // One that was cut off says nothing of what had come of the step before it.
  const last = along.find(({ row }) => row?.status === 'completed' || row?.status === 'failed');
  const failed = along.findIndex(({ row }) => row?.status === 'failed' && !isOfUnknownOutcome(row));
  // It may have failed by what it was answered. What must not be done twice is not, all the same.
  const answeredIn = failed < 0 ? ids : ids.slice(0, failed);
  // One that was kept says of its input nothing.
  const ends = along.flatMap(({ row }) => (row?.status === 'completed' ? row : []));
  return {
    completed: last?.row?.status === 'completed' ? last.row : undefined,
    digest: ends.find(({ digest }) => digest !== null)?.digest ?? null,
    isOnce: ends.some(({ is_repeatable }) => is_repeatable === 0),
    wasTold:
      last?.row !== undefined &&
      isOfUnknownOutcome(last.row) &&
      (last.row.end_seq !== null || isUnknown(last.run.error)),
    paid: inOrder(await paidIn({ db }, answeredIn, step), answeredIn, (a, b) => (a.id < b.id ? -1 : 1)),
    calls: inOrder(await calledBy({ db }, ids, step), ids, (a, b) => a.nth - b.nth),
  };
}

async function paidIn(
  { db }: Pick<RunDatabase, 'db'>,
  runs: readonly string[],
  step: string,
): Promise<PaidCall[]> {
  if (runs.length === 0) return [];
  const rows = await db
    .selectFrom('runs_spending')
    .selectAll()
    .where('run_id', 'in', runs)
    .where('step', '=', step)
    .where('is_settled', '=', 1)
    .where('answer', 'is not', null)
    .where('digest', 'is not', null)
    .execute();
  const known = new Map<string, PaidCall>();
  for (const row of rows) if (row.answer !== null) known.set(originOf(row), { ...row, answer: row.answer });
  return [...known.values()];
}

function calledBy(
  { db }: Pick<RunDatabase, 'db'>,
  runs: readonly string[],
  step: string,
): Promise<CallRow[]> {
  if (runs.length === 0) return Promise.resolve([]);
  return db
    .selectFrom('runs_calls')
    .selectAll()
    .where('run_id', 'in', runs)
    .where('step', '=', step)
    .execute();
}

/** Of the last run first. */
function inOrder<Row extends { readonly run_id: string }>(
  rows: readonly Row[],
  runs: readonly string[],
  within: (a: Row, b: Row) => number,
): Row[] {
  const placeOf = ({ run_id }: Row) => runs.indexOf(run_id);
  return [...rows].sort((a, b) => placeOf(a) - placeOf(b) || within(a, b));
}

/** What a value was in the last of these runs that made it; undefined where none did. */
export async function valueBefore(
  { db }: Pick<RunDatabase, 'db'>,
  before: readonly RunBefore[],
  name: string,
): Promise<{ readonly value: unknown } | undefined> {
  if (before.length === 0) return undefined;
  const ids = before.map(({ id }) => id);
  const rows = await db
    .selectFrom('runs_steps')
    .select(['run_id', 'output'])
    .where('run_id', 'in', ids)
    .where('name', '=', name)
    .where('kind', '=', 'value')
    .where('status', '=', 'completed')
    .execute();
  const last = inOrder(rows, ids, () => 0)[0];
  return last && { value: await fromStored(db, last.run_id, last.output) };
}
