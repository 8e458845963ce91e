import type { RunOfCall } from '@nexus/plugin-sdk';
import type { RunBefore } from './done-before.ts';
import { isOfUnknownOutcome, isTold, isUnknown } from './kept-steps.ts';
import { prepared } from './prepared.ts';
import { untilRefused } from './refused-steps.ts';
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

/** The run that another goes on from, the one that that goes on from, and so on. */
export async function runsBefore(db: RunTransaction, on: RunDatabase, id: string): Promise<RunBefore[]> {
  const before: RunBefore[] = [];
  for (let last = id; ; ) {
    const { rows } = await placeOf(db, on, { id: last });
    const [found] = rows as RunBefore[];
    if (!found) return before;
    before.push(found);
    last = found.id;
  }
}

const placeOf = prepared<Pick<RunRow, 'id'>>((db, slot) =>
  db
    .selectFrom('runs_runs as run')
    .innerJoin('runs_runs as before', 'before.id', 'run.rerun_of')
    .select(['before.id', 'before.error'])
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
  const own = { key, isEarlier: false };
  const before = run ? await runsBefore(on.db, on, run.id) : [];
  if (!run || before.length === 0) return own;
  const ofStep = stepKey(run.id, run.step);
  const keys = [
    key,
    ...untilRefused(before, run.step).map(({ id }) => key.replace(ofStep, stepKey(id, run.step))),
  ];
  const rows = await on.db.selectFrom('runs_runs').selectAll().where('start_key', 'in', keys).execute();
  const at = keys.find((each) => rows.some(({ start_key }) => start_key === each));
  const found = rows.find(({ start_key }) => start_key === at);
  if (!found || at === undefined) return own;
  if (found.parent_id === run.id) return { key: at, isEarlier: false };
  // Under a key that is not the step's, such as one that its arguments have, it may be anybody's.
  if (at === key) return { key, isEarlier: before.some(({ id }) => id === found.parent_id) };
  return (await isSame(found)) ? { key: at, isEarlier: true } : own;
}

/** The run that did a child's step in a run before, or what that one went on in; undefined where the step is begun anew. */
export async function findChild(
  trx: RunTransaction,
  on: RunDatabase,
  child: Pick<RunRow, 'kind' | 'input'> & { readonly parentId: string; readonly step: string },
): Promise<RunRow | undefined> {
  const { parentId, step, kind, input } = child;
  for (const { id: before } of untilRefused(await runsBefore(trx, on, parentId), step)) {
    const row = await trx
      .selectFrom('runs_runs')
      .selectAll()
      .where('parent_id', '=', before)
      .where('parent_step', '=', step)
      .executeTakeFirst();
    if (!row) continue;
    const isSame = row.kind === kind && row.input === input;
    return isSame ? newestOf({ db: trx }, row) : undefined;
  }
  return undefined;
}

/**
 * Whether somebody was told of a run that failed that nobody knows its outcome: by the step that began it, whose failure
 * is then done again on purpose.
 */
export async function wasTold(on: Db, run: RunRow): Promise<boolean> {
  if (run.parent_id === null) return isUnknown(run.error) && isTold(run);
  // Where the run of that step was ended before it was told, the one that goes on from it is.
  let told = await above(on, run.parent_id);
  while (told) {
    const step = await stepOf(on, { parent_id: told.id, parent_step: run.parent_step });
    if (step && isOfUnknownOutcome(step) && (step.end_seq !== null || isUnknown(told.error))) return true;
    told = await above(on, told.goes_on_in);
  }
  return false;
}

async function above({ db }: Db, id: string | null) {
  if (id === null) return undefined;
  return db
    .selectFrom('runs_runs')
    .select(['id', 'error', 'goes_on_in'])
    .where('id', '=', id)
    .executeTakeFirst();
}

async function stepOf(
  { db }: Db,
  { parent_id: parent, parent_step: step }: Pick<RunRow, 'parent_id' | 'parent_step'>,
): Promise<StepRow | undefined> {
  if (parent === null || step === null) return undefined;
  return db
    .selectFrom('runs_steps')
    .selectAll()
    .where('run_id', '=', parent)
    .where('name', '=', step)
    .executeTakeFirst();
}
