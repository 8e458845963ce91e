import { type RunStatus, ToolError } from '@nexus/plugin-sdk';
import { errorText } from './errors.ts';
import { addOutsideEvent, tell } from './events.ts';
import { closeCalls } from './paying.ts';
import { ENDED, type RunDatabase, type RunTransaction } from './run-database.ts';
import type { RunRow } from './tables.ts';
import { concurrencyOf, leaveTurns, outrunRuns } from './turns.ts';
import { type Stored, saveBlob, toStored } from './values.ts';

/** What a run came to. */
export type RunEnding =
  | { readonly status: 'completed'; readonly output: unknown }
  | { readonly status: 'failed' | 'cancelled'; readonly error: unknown };

/**
 * Ends a run: its ending, its event, the end of its children and its parent's wake-up are one transaction.
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
  const ofKeys = ended.filter(concurrencyOf).map(({ id }) => id);
  if (ofKeys.length > 0) await leaveTurns(trx, on, ofKeys);
  return ended.length > 0;
}

async function endFamily(
  trx: RunTransaction,
  on: RunDatabase,
  { runId, ending, ended }: { runId: string; ending: RunEnding; ended: RunRow[] },
): Promise<void> {
  const isDone = ending.status === 'completed';
  const output: Stored = isDone ? toStored(ending.output) : { text: null };
  const error = isDone ? null : errorText(ending.error);
  const run = await trx
    .updateTable('runs_runs')
    .set({
      status: ending.status,
      output: output.text,
      error,
      owner: null,
      wake_at: null,
      updated_at: on.store.now,
      ended_at: on.store.now,
    })
    .where('id', '=', runId)
    .where('status', 'not in', ENDED)
    .returningAll()
    .executeTakeFirst();
  if (!run) return;
  ended.push(run);
  on.spans?.runEnded(run);
  await saveBlob(trx, runId, output);
  await closeCalls(trx, { rootId: run.root_id, runId });
  await trx
    .updateTable('runs_questions')
    .set({ status: 'expired' })
    .where('run_id', '=', runId)
    .where('status', '=', 'open')
    .execute();
  await addOutsideEvent(trx, on, runId, { type: `run.${ending.status}` });
  await tell(trx, on, runId);
  const children = await trx
    .selectFrom('runs_runs')
    .select('id')
    .where('parent_id', '=', runId)
    .where('status', 'not in', ENDED)
    .execute();
  const reason = new ToolError('NEXUS_CANCELLED', `The run ${runId} that this one was for is over.`);
  for (const child of children)
    await endFamily(trx, on, { runId: child.id, ending: { status: 'cancelled', error: reason }, ended });
  await tellParent(trx, on, run, ending.status, { output, error });
}

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
