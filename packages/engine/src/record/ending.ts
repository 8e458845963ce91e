import { type RunStatus, ToolError } from '@nexus/plugin-sdk';
import { errorText } from './errors.ts';
import { addOutsideEvent, tell } from './events.ts';
import { ENDED, type RunDatabase, type RunTransaction } from './run-database.ts';
import type { RunRow } from './tables.ts';
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
  if (!run) return false;
  await saveBlob(trx, runId, output);
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
  for (const child of children) await endRun(trx, on, child.id, { status: 'cancelled', error: reason });
  await tellParent(trx, on, run, ending.status, { output, error });
  return true;
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
