import type { RunOfCall } from '@nexus/plugin-sdk';
import { isOfUnknownOutcome, isUnknown } from './kept-steps.ts';
import { prepared } from './prepared.ts';
import type { RunDatabase, RunTransaction } from './run-database.ts';
import { stepKey } from './step-key.ts';
import type { RunRow, StepRow } from './tables.ts';

/*
 * What a step had begun in the run that its own run goes on from, and in those before: done again, it goes on with that.
 * A run that is begun anew, as by a rerun from a step, goes on from none.
 */

interface Db {
  readonly db: RunTransaction;
}

/** The run that another goes on from. */
export async function placeOf(db: RunTransaction, on: RunDatabase, id: string): Promise<string | undefined> {
  const { rows } = await beforeIt(db, on, { id });
  return (rows as { id: string }[])[0]?.id;
}

const beforeIt = prepared<Pick<RunRow, 'id'>>((db, slot) =>
  db
    .selectFrom('runs_runs as run')
    .innerJoin('runs_runs as before', 'before.id', 'run.rerun_of')
    .select('before.id')
    .where('run.id', '=', slot('id'))
    .whereRef('before.goes_on_in', '=', 'run.id'),
);

/** The one that a run went on in, and that one, and so on: the last of them. */
export async function newestOf({ db }: Db, run: RunRow): Promise<RunRow> {
  for (let newest = run; ; ) {
    const next = await db
      .selectFrom('runs_runs')
      .selectAll()
      .where('id', '=', newest.goes_on_in)
      .executeTakeFirst();
    if (!next) return newest;
    newest = next;
  }
}

/** By what a call finds what it began, and whether that was begun by the step in a run before. */
export interface Found {
  /** As of {@link startKey}. */
  readonly key: string;
  readonly isEarlier: boolean;
}

/**
 * The key that the call of a step stands under: its own, or that of the same call in a run before, where what was begun
 * by it is still to be answered.
 * @param isSame whether a run is what the call asks for: with other arguments it begins another
 */
export async function findCall(
  on: RunDatabase,
  call: {
    readonly key: string;
    readonly run: RunOfCall | undefined;
    readonly isSame: (row: RunRow) => Promise<boolean>;
  },
): Promise<Found> {
  const { key, run, isSame } = call;
  const { db } = on;
  const own = { key, isEarlier: false };
  let before = run && (await placeOf(db, on, run.id));
  if (!run || before === undefined) return own;
  const runs: string[] = [];
  let found = await underKey(db, key);
  let at = key;
  for (; before !== undefined; before = await placeOf(db, on, before)) {
    runs.push(before);
    if (found) continue;
    at = key.replace(stepKey(run.id, run.step), stepKey(before, run.step));
    found = at === key ? undefined : await underKey(db, at);
  }
  if (!found || found.parent_id === run.id) return found ? { ...own, key: at } : own;
  const isEarlier = at !== key || (found.parent_id !== null && runs.includes(found.parent_id));
  if (!isEarlier || at === key) return { key, isEarlier };
  return (await isSame(found)) && !(await isOver({ db }, found)) ? { key: at, isEarlier } : own;
}

function underKey(db: RunTransaction, key: string): Promise<RunRow | undefined> {
  return db.selectFrom('runs_runs').selectAll().where('start_key', '=', key).executeTakeFirst();
}

/** The run that did a child's step in a run before, or what that one went on in; undefined where the step is begun anew. */
export async function findChild(
  trx: RunTransaction,
  on: RunDatabase,
  child: Pick<RunRow, 'kind' | 'input'> & { readonly parentId: string; readonly step: string },
): Promise<RunRow | undefined> {
  const { parentId, step, kind, input } = child;
  for (let before = await placeOf(trx, on, parentId); before; before = await placeOf(trx, on, before)) {
    const row = await trx
      .selectFrom('runs_runs')
      .selectAll()
      .where('parent_id', '=', before)
      .where('parent_step', '=', step)
      .executeTakeFirst();
    if (!row) continue;
    const isSame = row.kind === kind && row.input === input;
    return isSame && !(await isOver({ db: trx }, row)) ? newestOf({ db: trx }, row) : undefined;
  }
  return undefined;
}

/** Whether a run is completed and so is the step that began it: who does that again wants another answer. */
async function isOver(on: Db, run: RunRow): Promise<boolean> {
  return run.status === 'completed' && (await stepOf(on, run))?.status === 'completed';
}

/**
 * Whether somebody was told of a run that failed that nobody knows its outcome: by the step that began it, whose failure
 * is then done again on purpose.
 */
export async function wasTold(on: Db, run: RunRow): Promise<boolean> {
  if (run.parent_id === null) return isUnknown(run.error);
  const step = await stepOf(on, run);
  return step !== undefined && step.end_seq !== null && isOfUnknownOutcome(step);
}

async function stepOf(
  { db }: Db,
  { parent_id: parent, parent_step: step }: RunRow,
): Promise<StepRow | undefined> {
  if (parent === null || step === null) return undefined;
  return db
    .selectFrom('runs_steps')
    .selectAll()
    .where('run_id', '=', parent)
    .where('name', '=', step)
    .executeTakeFirst();
}
