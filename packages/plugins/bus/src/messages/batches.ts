import type { SessionScope } from '@nexus/plugin-sdk';
import type { Bus } from '../bus.ts';
import { newId } from '../new-id.ts';
import type { ShownMessage } from './fit-messages.ts';

/**
 * Batches that a session was given and has not confirmed, in memory: a session that asks again has what it was
 * given before. Where its server died meanwhile nobody knows that, and the batch comes again.
 */
export interface ShownBatches {
  add(session: SessionScope, batch: Batch): void;
  /** Those of the worker, which are no longer open then. */
  take(session: SessionScope, worker: string): string[];
}

interface Batch {
  readonly worker: string;
  readonly batch: string;
}

export function createShownBatches(): ShownBatches {
  const open = new WeakMap<SessionScope, readonly Batch[]>();
  return {
    add(session, batch) {
      open.set(session, [...(open.get(session) ?? []), batch]);
    },
    take(session, worker) {
      const all = open.get(session) ?? [];
      open.set(
        session,
        all.filter((each) => each.worker !== worker),
      );
      return all.filter((each) => each.worker === worker).map(({ batch }) => batch);
    },
  };
}

/** Puts on record what an answer is about to show; its messages are delivered, and read once it is confirmed. */
export async function openBatch(bus: Bus, worker: string, shown: readonly ShownMessage[]): Promise<string> {
  const batch = newId('batch');
  const { now } = bus.clock;
  await bus.db.transaction().execute(async (tx) => {
    const rows = shown.map(({ row, to, isWhole }) => ({
      batch,
      message_id: row.id,
      recipient: worker,
      shown_to: isWhole ? null : to,
      made_at: now,
    }));
    await tx.insertInto('bus_batches').values(rows).execute();
    await tx
      .updateTable('bus_deliveries')
      .set((eb) => ({ state: 'delivered', delivered_at: eb.fn.coalesce('delivered_at', now) }))
      .where('recipient', '=', worker)
      .where(
        'message_id',
        'in',
        shown.map(({ row }) => row.id),
      )
      .where('state', '=', 'queued')
      .execute();
  });
  return batch;
}

/**
 * Marks as read what the worker's batches showed; a batch that was confirmed before marks nothing.
 * @param signal ends it with nothing marked, where the batches are not yet answered
 */
export async function confirmBatches(
  bus: Bus,
  { worker, batches }: { readonly worker: string; readonly batches: readonly string[] },
  signal?: AbortSignal,
): Promise<void> {
  if (batches.length === 0) return;
  const { now } = bus.clock;
  const isMarked = await bus.db.transaction().execute(async (tx) => {
    const shown = await tx
      .deleteFrom('bus_batches')
      .where('batch', 'in', batches)
      .where('recipient', '=', worker)
      .returning(['message_id', 'shown_to'])
      .execute();
    const whole = shown.filter(({ shown_to }) => shown_to === null).map(({ message_id }) => message_id);
    if (whole.length > 0) {
      await tx
        .updateTable('bus_deliveries')
        .set({ state: 'read', read_at: now })
        .where('recipient', '=', worker)
        .where('message_id', 'in', whole)
        .where('state', 'in', ['queued', 'delivered'])
        .execute();
    }
    for (const { message_id, shown_to } of shown) {
      if (shown_to === null) continue;
      await tx
        .updateTable('bus_deliveries')
        .set({ read_to: shown_to })
        .where('recipient', '=', worker)
        .where('message_id', '=', message_id)
        .where('read_to', '<', shown_to)
        .execute();
    }
    signal?.throwIfAborted();
    return shown.length > 0;
  });
  if (isMarked) bus.changes.announce({ read: [worker] });
}

/** What the session was shown before has arrived, since it asks again. */
export async function confirmShown(bus: Bus, session: SessionScope, worker: string): Promise<void> {
  await confirmBatches(bus, { worker, batches: bus.shown.take(session, worker) });
}
