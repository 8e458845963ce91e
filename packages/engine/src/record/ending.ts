import { type RunStatus, ToolError } from '@nexus/plugin-sdk';
import { withAllUnknown } from './all-unknown.ts';
import { jobsOfRun, runsOfJob } from './begun-runs.ts';
import { errorText } from './errors.ts';
import { addOutsideEvent, tell } from './events.ts';
import { JOB_KIND } from './job-kind.ts';
import { closeCutOff } from './leaving.ts';
import { addSizeOfAnswers, closeCalls, isCallOpen } from './paying.ts';
import { prepared } from './prepared.ts';
import { ENDED, type RunDatabase, type RunTransaction } from './run-database.ts';
import type { RunRow } from './tables.ts';
import { concurrencyOf, leaveTurns, outrunRuns } from './turns.ts';
import { type Stored, saveBlob, toStored } from './values.ts';

/** What a run came to. */
export type RunEnding =
  | { readonly status: 'completed'; readonly output: unknown }
  | { readonly status: 'failed' | 'cancelled'; readonly error: unknown };

/**
 * Ends a run: its ending, its event, the end of its children and its parent's wake-up are one transaction. So is, where
 * it is cancelled, the end of what it is one with: a job and the runs that stand for its call. Else whoever takes the
 * one up would do again, or go on with, what was cancelled as the other.
 * @returns whether it was still open
 */
export async function endRun(
  trx: RunTransaction,
  on: RunDatabase,
  runId: string,
  ending: RunEnding,
): Promise<boolean> {
  const ended: RunRow[] = [];
  await endFamily(trx, on, { runId, ending, ended });
  if (ending.status === 'cancelled') await endUnit(trx, on, { ended, error: ending.error });
  const ofKeys = ended.filter(concurrencyOf).map(({ id }) => id);
  if (ofKeys.length > 0) await leaveTurns(trx, on, ofKeys);
  return ended.length > 0;
}

async function endUnit(
  trx: RunTransaction,
  on: RunDatabase,
  { ended, error }: { readonly ended: RunRow[]; readonly error: unknown },
): Promise<void> {
  // Those that it ends come into the list.
  for (const run of ended) {
    const ending = { status: 'cancelled', error } as const;
    for (const { id } of await oneWith(trx, run)) await endFamily(trx, on, { runId: id, ending, ended });
  }
}

/** What stands for the same call: the runs of a job, or the jobs of a run that is nobody's child. */
async function oneWith(db: RunTransaction, run: RunRow): Promise<RunRow[]> {
  if (run.kind === JOB_KIND) return runsOfJob({ db }, run);
  return run.parent_id === null ? jobsOfRun({ db }, run) : [];
}

async function endFamily(
  trx: RunTransaction,
  on: RunDatabase,
  { runId, ending, ended }: { runId: string; ending: RunEnding; ended: RunRow[] },
): Promise<void> {
  const isDone = ending.status === 'completed';
  const output = toStored(isDone ? ending.output : undefined);
  let error = isDone ? null : errorText(ending.error);
  const closed = await closeRun(trx, on, { id: runId, status: ending.status, output: output.text, error });
  const [run] = closed.rows as RunRow[];
  if (!run) return;
  ended.push(run);
  on.spans?.runEnded(run);
  await saveBlob(trx, runId, output);
  // Whoever adds to these holds the run's row first, which is this transaction's.
  const { rows } = await openOf(trx, on, { root_id: run.root_id, id: runId });
  const [open] = rows as [OpenOf];
  if (!isDone) {
    await closeCutOff(trx, on, runId);
    if (ending.status === 'failed') error = await withAllUnknown(trx, runId, error);
  }
  if (open.calls) await closeCalls(trx, on, { rootId: run.root_id, runId, answersStay: !isDone });
  if (open.calls && !isDone) await addSizeOfAnswers(trx, run);
  // Nobody goes on from it.
  if (isDone && open.done) await trx.deleteFrom('runs_calls').where('run_id', '=', runId).execute();
  if (open.questions) {
    await trx
      .updateTable('runs_questions')
      .set({ status: 'expired' })
      .where('run_id', '=', runId)
      .where('status', '=', 'open')
      .execute();
  }
  await addOutsideEvent(trx, on, runId, { type: `run.${ending.status}` });
  await tell(trx, on, runId);
  const children = open.children
    ? await trx
        .selectFrom('runs_runs')
        .select('id')
        .where('parent_id', '=', runId)
        .where('status', 'not in', ENDED)
        .execute()
    : [];
  const reason = new ToolError('NEXUS_CANCELLED', `The run ${runId} that this one was for is over.`);
  for (const child of children)
    await endFamily(trx, on, { runId: child.id, ending: { status: 'cancelled', error: reason }, ended });
  await tellParent(trx, on, run, ending.status, { output, error });
}

const closeRun = prepared<Pick<RunRow, 'id' | 'status' | 'output' | 'error'>>((db, slot, { store }) =>
  db
    .updateTable('runs_runs')
    .set({
      status: slot('status'),
      output: slot('output'),
      error: slot('error'),
      owner: null,
      wake_at: null,
      updated_at: store.now,
      ended_at: store.now,
    })
    .where('id', '=', slot('id'))
    .where('status', 'not in', ENDED)
    .returningAll(),
);

/** What is open of a run that ends; of most runs nothing is, which one look tells. */
type OpenOf = Readonly<Record<'calls' | 'done' | 'questions' | 'children', boolean | number>>;

const openOf = prepared<Pick<RunRow, 'root_id' | 'id'>>((db, slot) => {
  const calls = db
    .selectFrom('runs_spending')
    .select('step')
    .where('root_id', '=', slot('root_id'))
    .where('run_id', '=', slot('id'))
    .where(isCallOpen);
  const questions = db
    .selectFrom('runs_questions')
    .select('name')
    .where('run_id', '=', slot('id'))
    .where('status', '=', 'open');
  const children = db
    .selectFrom('runs_runs')
    .select('id')
    .where('parent_id', '=', slot('id'))
    .where('status', 'not in', ENDED);
  const done = db.selectFrom('runs_calls').select('step').where('run_id', '=', slot('id'));
  return db.selectNoFrom(({ exists }) => [
    exists(calls).as('calls'),
    exists(done).as('done'),
    exists(questions).as('questions'),
    exists(children).as('children'),
  ]);
});

/** The parent's step, where this run is all that it does, has its answer; the parent, where it waits in no process, is due. */
async function tellParent(
  trx: RunTransaction,
  on: RunDatabase,
  { parent_id, parent_step }: RunRow,
  status: RunStatus,
  { output, error }: { output: Stored; error: string | null },
): Promise<void> {
  if (parent_id === null || parent_step === null) return;
  const answered = await trx
    .updateTable('runs_steps')
    .set({
      status: status === 'completed' ? 'completed' : 'failed',
      output: output.text,
      error,
      ended_at: on.store.now,
    })
    .where('run_id', '=', parent_id)
    .where('name', '=', parent_step)
    .where('kind', '=', 'child')
    .where('end_seq', 'is', null)
    .where('status', '=', 'waiting')
    .returning('name')
    .executeTakeFirst();
  if (!answered) return;
  await saveBlob(trx, parent_id, output);
  await wake(trx, on, parent_id);
}

/** A run that waits in no process may go on; one that waits in some is looked at there. */
export async function wake(trx: RunTransaction, on: RunDatabase, runId: string): Promise<void> {
  await trx
    .updateTable('runs_runs')
    .set({ wake_at: on.store.now })
    .where('id', '=', runId)
    .where('status', '=', 'waiting')
    .execute();
  await tell(trx, on, runId);
}

/** Ends the runs that newer ones of their key take the place of. */
export async function endOutrun(on: RunDatabase): Promise<void> {
  for (const id of await outrunRuns(on)) {
    const error = new ToolError('NEXUS_CANCELLED', 'A newer run of the same key has taken its place.');
    await on.write((trx) => endRun(trx, on, id, { status: 'cancelled', error }));
  }
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
  for (const { id, title } of await overdueRuns(on.db, on).execute()) {
    const error = new ToolError('NEXUS_TIMEOUT', `"${title}" did not end within the time that it was given.`);
    await on.write((trx) => endRun(trx, on, id, { status: 'failed', error }));
  }
}

export function overdueRuns(db: RunTransaction, { store }: Pick<RunDatabase, 'store'>) {
  return db
    .selectFrom('runs_runs')
    .select(['id', 'title'])
    .where('deadline_at', '<=', store.now)
    .where('status', 'not in', ENDED);
}
