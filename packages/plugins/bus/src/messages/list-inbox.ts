import type { Bus } from '../bus.ts';
import { roomForMessages } from '../page.ts';
import { fitMessages } from './fit-messages.ts';

export interface InboxFilter {
  readonly threadId?: string | undefined;
  readonly limit: number;
  /** Characters of JSON that the answer has besides. */
  readonly beside?: number;
}

/**
 * What the worker has to read: the new ones before those it read and has not acknowledged, so that these keep none
 * back; the urgent before others, then by age. Marks nothing.
 */
export async function listInbox(bus: Bus, worker: string, { threadId, limit, beside }: InboxFilter) {
  const fitting = bus.db
    .selectFrom('bus_deliveries as delivery')
    .innerJoin('bus_messages as message', 'message.id', 'delivery.message_id')
    .where('message.bus', '=', bus.name)
    .where('delivery.recipient', '=', worker)
    .$if(threadId !== undefined, (query) => query.where('message.thread_id', '=', threadId ?? ''))
    .where((eb) =>
      eb.or([
        eb('delivery.state', 'in', ['queued', 'delivered']),
        eb.and([eb('message.ack_required', '=', 1), eb('delivery.state', '=', 'read')]),
      ]),
    );
  const { total } = await fitting.select((eb) => eb.fn.countAll().as('total')).executeTakeFirstOrThrow();
  const rows = await fitting
    .selectAll('message')
    .select(['delivery.state', 'delivery.read_to'])
    .orderBy((eb) => eb.case().when('delivery.state', '=', 'read').then(1).else(0).end())
    .orderBy('message.importance')
    .orderBy('message.seq')
    .limit(limit)
    .execute();
  const shown = fitMessages(
    rows.map((row) => ({ row, from: row.state === 'read' ? 0 : row.read_to })),
    roomForMessages(bus, beside),
    ({ state }) => ({ state: state === 'queued' ? 'delivered' : state }),
  );
  return { shown, total: Number(total) };
}
