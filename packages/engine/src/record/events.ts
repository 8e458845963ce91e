import { sql } from 'kysely';
import { prepared } from './prepared.ts';
import { CHANNEL, type RunDatabase, type RunTransaction } from './run-database.ts';
import type { EventRow } from './tables.ts';

/** One thing that happened, as an owner writes it. */
export interface NewEvent {
  readonly seq: number;
  readonly type: string;
  readonly step?: string;
  readonly attempt?: number;
  readonly data?: unknown;
}

export async function addEvent(
  trx: RunTransaction,
  on: RunDatabase,
  runId: string,
  event: NewEvent,
): Promise<void> {
  const { numAffectedRows } = await insertEvent(trx, on, { ...eventRow(runId, event), seq: event.seq });
  if (numAffectedRows === 0n && !(await isThere(trx, runId, event))) {
    await addOutsideEvent(trx, on, runId, event);
  }
}

const insertEvent = prepared<Omit<EventRow, 'at'>>((db, slot, { store }) =>
  db
    .insertInto('runs_events')
    .values({
      run_id: slot('run_id'),
      seq: slot('seq'),
      type: slot('type'),
      step: slot('step'),
      attempt: slot('attempt'),
      data: slot('data'),
      at: store.now,
    })
    // What is there is the owner's own, of a write whose answer was lost, or came from outside in between.
    .onConflict((conflict) => conflict.doNothing()),
);

/** An owner writes in order, so what it wrote stands at its number, or behind where that was taken. */
async function isThere(trx: RunTransaction, runId: string, event: NewEvent): Promise<boolean> {
  const { type, step, attempt } = eventRow(runId, event);
  const found = await trx
    .selectFrom('runs_events')
    .select('seq')
    .where('run_id', '=', runId)
    .where('seq', '>=', event.seq)
    .where('type', '=', type)
    .where('step', step === null ? 'is' : '=', step)
    .where('attempt', attempt === null ? 'is' : '=', attempt)
    .executeTakeFirst();
  return found !== undefined;
}

/** Behind all that is there: by whoever is not the owner, in a transaction that has changed the run's row already. */
export async function addOutsideEvent(
  trx: RunTransaction,
  on: RunDatabase,
  runId: string,
  event: Omit<NewEvent, 'seq'>,
): Promise<void> {
  await insertOutsideEvent(trx, on, eventRow(runId, event));
}

const insertOutsideEvent = prepared<Omit<EventRow, 'at' | 'seq'>>((db, slot, { store }) =>
  db.insertInto('runs_events').values({
    run_id: slot('run_id'),
    type: slot('type'),
    step: slot('step'),
    attempt: slot('attempt'),
    data: slot('data'),
    seq: sql<number>`(select coalesce(max(seq), 0) + 1 from runs_events where run_id = ${slot('run_id')})`,
    at: store.now,
  }),
);

function eventRow(runId: string, { type, step, attempt, data }: Omit<NewEvent, 'seq'>) {
  return {
    run_id: runId,
    type,
    step: step ?? null,
    attempt: attempt ?? null,
    data: data === undefined ? null : JSON.stringify(data),
  };
}

/** Tells every process of the project, once the transaction is made, that a run is to be looked at. */
export async function tell(trx: RunTransaction, { store }: RunDatabase, runId: string): Promise<void> {
  await store.notify(CHANNEL, runId, trx);
}
