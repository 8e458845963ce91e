import type { Bus } from '../bus.ts';
import { toMessageView } from './message-view.ts';

export interface InboxFilter {
  /** Leaves out what was read, unless it still lacks the ack that it requires. */
  readonly isNewOnly: boolean;
  readonly mark: 'read' | 'delivered';
  readonly threadId?: string | undefined;
  readonly limit: number;
}

/** The worker's messages, oldest first, marked as they are handed over. */
export async function listInbox(bus: Bus, worker: string, { isNewOnly, mark, threadId, limit }: InboxFilter) {
  const fitting = bus.db
    .selectFrom('bus_deliveries as delivery')
    .innerJoin('bus_messages as message', 'message.id', 'delivery.message_id')
    .where('message.bus', '=', bus.name)
    .where('delivery.recipient', '=', worker)
    .$if(threadId !== undefined, (query) => query.where('message.thread_id', '=', threadId ?? ''))
    .$if(isNewOnly, (query) =>
      query.where((eb) =>
        eb.or([
          eb('delivery.state', 'in', ['queued', 'delivered']),
          eb.and([eb('message.ack_required', '=', 1), eb('delivery.state', '!=', 'acked')]),
        ]),
      ),
    );
  const { total } = await fitting.select((eb) => eb.fn.countAll().as('total')).executeTakeFirstOrThrow();
  const rows = await fitting
    .selectAll('message')
    .select('delivery.state')
    .orderBy('message.seq')
    .limit(limit)
    .execute();
  const states = await markMessages(bus, worker, {
    ids: rows.map((row) => row.id),
    mark,
  });
  const messages = rows.map((row) => ({ ...toMessageView(row), state: states.get(row.id) ?? row.state }));
  return { messages, total: Number(total) };
}

/** Moves states forward only; answers those that moved. */
async function markMessages(
  { db, clock: { now } }: Bus,
  worker: string,
  { ids, mark }: { ids: readonly string[]; mark: 'read' | 'delivered' },
) {
  if (ids.length === 0) return new Map<string, typeof mark>();
  const moved = await db
    .updateTable('bus_deliveries')
    .set((eb) => ({
      state: mark,
      delivered_at: eb.fn.coalesce('delivered_at', now),
      ...(mark === 'read' ? { read_at: now } : {}),
    }))
    .where('recipient', '=', worker)
    .where('message_id', 'in', ids)
    .where('state', 'in', mark === 'read' ? ['queued', 'delivered'] : ['queued'])
    .returning('message_id')
    .execute();
  return new Map(moved.map((row) => [row.message_id, mark]));
}
