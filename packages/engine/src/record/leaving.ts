import { ToolError } from '@nexus/plugin-sdk';
import { errorText } from './errors.ts';
import { addOutsideEvent, tell } from './events.ts';
import { familyOf } from './family-of.ts';
import type { OwnerChange, RunToken } from './fence.ts';
import { isOfUnknownOutcome } from './kept-steps.ts';
import type { RunDatabase, RunTransaction } from './run-database.ts';
import type { StepRow } from './tables.ts';

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
  return {
    isLast: true,
    async work(trx) {
      let wake_at: unknown = status === 'queued' ? now : null;
      if (status === 'waiting') {
        // What nobody knows the outcome of is told last: nothing comes of it before the others.
        const open = (await openSteps(trx, on, token.runId)).filter((step) => !isOfUnknownOutcome(step));
        const due = open.flatMap((step) => (step.wake_at === null ? [] : Number(step.wake_at)));
        // With nothing open, there is nothing that would wake it.
        const mayGoOn = open.length === 0 || open.some((step) => step.status !== 'waiting');
        wake_at = mayGoOn ? now : due.length > 0 ? Math.min(...due) : null;
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

/**
 * Locked on Postgres: whoever ends a child tells the parent's step first and then wakes the parent, which it passes over
 * while it still sees it running. So the end comes before this is read, or sees the run waiting.
 */
function openSteps(trx: RunTransaction, { store }: RunDatabase, runId: string) {
  return trx
    .selectFrom('runs_steps')
    .select(['status', 'wake_at', 'error'])
    .where('run_id', '=', runId)
    .where('end_seq', 'is', null)
    .$if(store.dialect === 'postgres', (query) => query.forUpdate())
    .execute();
}

/** What the last owner was in the middle of: nobody knows how far it came. */
export async function closeInterrupted(trx: RunTransaction, on: RunDatabase, runId: string): Promise<void> {
  for (const step of await underWay(trx, runId, ['running'])) {
    if (step.is_repeatable === 0)
      await closeUnknown(trx, on, { ...step, error: outcomeUnknown(`the step "${step.name}"`) });
    else await interrupt(trx, on, { ...step, set: { status: 'waiting', wake_at: on.store.now as never } });
  }
}

/**
 * What a run that ends, and is not completed, was in the middle of, where doing it again could do it twice: who has the
 * run go on is told, and does not do it again unawares. So is a step whose call has begun, without a key of the step's, a
 * run that has done such a thing: done again, the step can't find it, and begins it anew.
 */
export async function closeCutOff(trx: RunTransaction, on: RunDatabase, runId: string): Promise<void> {
  for (const step of await underWay(trx, runId, ['running', 'waiting'])) {
    if (step.is_repeatable === 0) {
      if (step.status === 'running') await closeUnknown(trx, on, { ...step, error: unknown(cutOff(step)) });
      continue;
    }
    const begun = step.kind === 'step' ? await begunUnkeyed(trx, step) : undefined;
    if (begun === undefined) continue;
    const text = `${cutOff(step)}: it had begun run ${begun}, in which something was done that must not be done twice. nexus://runs/${begun} shows how far that came; done again, the step begins another`;
    await closeUnknown(trx, on, { ...step, error: unknown(text) });
  }
}

const cutOff = ({ name }: Pick<StepRow, 'name'>) => `The run was ended in the middle of its step "${name}"`;

/**
 * The newest run that a step's call has begun, where any of them stands under no key and any run of its family did what
 * may not be repeated.
 */
async function begunUnkeyed(
  trx: RunTransaction,
  { run_id, name }: Pick<StepRow, 'run_id' | 'name'>,
): Promise<string | undefined> {
  const begun = await trx
    .selectFrom('runs_runs')
    .select(['id', 'start_key', 'goes_on_in'])
    .where('parent_id', '=', run_id)
    .where('parent_step', '=', name)
    .orderBy('created_at', 'desc')
    .execute();
  if (begun.every(({ start_key: key, goes_on_in: next }) => key !== null || next !== null)) return undefined;
  for (const { id } of begun) {
    const done = await trx
      .selectFrom('runs_steps')
      .select('name')
      .where('run_id', 'in', await familyOf({ db: trx }, id))
      .where('kind', '=', 'step')
      .where('is_repeatable', '=', 0)
      .where('status', '!=', 'waiting')
      .limit(1)
      .executeTakeFirst();
    if (done) return id;
  }
  return undefined;
}

type UnderWay = Pick<StepRow, 'run_id' | 'name' | 'kind' | 'status' | 'attempt' | 'is_repeatable'>;

function underWay(
  trx: RunTransaction,
  runId: string,
  statuses: readonly StepRow['status'][],
): Promise<UnderWay[]> {
  return trx
    .selectFrom('runs_steps')
    .select(['run_id', 'name', 'kind', 'status', 'attempt', 'is_repeatable'])
    .where('run_id', '=', runId)
    .where('status', 'in', statuses)
    .execute();
}

/** It has no place in the run's order before the run is told of it. See `Delivery.tellLast`. */
function closeUnknown(
  trx: RunTransaction,
  on: RunDatabase,
  { error, ...step }: UnderWay & { readonly error: ToolError },
): Promise<void> {
  const ended = { ended_at: on.store.now as never };
  return interrupt(trx, on, { ...step, set: { status: 'failed', error: errorText(error), ...ended } });
}

async function interrupt(
  trx: RunTransaction,
  on: RunDatabase,
  { run_id, name, attempt, set }: UnderWay & { readonly set: Partial<StepRow> },
): Promise<void> {
  await addOutsideEvent(trx, on, run_id, { type: 'step.interrupted', step: name, attempt });
  await trx
    .updateTable('runs_steps')
    .set(set)
    .where('run_id', '=', run_id)
    .where('name', '=', name)
    .execute();
}

/** @param what the last owner was in the middle of */
export function outcomeUnknown(what = 'this'): ToolError {
  return unknown(`The server that ran ${what} ended before the work did`);
}

function unknown(why: string): ToolError {
  return new ToolError(
    'NEXUS_OUTCOME_UNKNOWN',
    `${why}, and doing it again could do it twice. Look at its effect first.`,
  );
}
