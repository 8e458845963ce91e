import { ToolError } from '@nexus/plugin-sdk';
import type { Bus } from '../bus.ts';

/**
 * Acknowledges messages, which are then read as well; again is no error.
 * @throws {ToolError} NEXUS_NOT_FOUND for ids that never reached the worker, before anything is marked
 */
export async function ackMessages(bus: Bus, worker: string, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const mine = await bus.db
    .selectFrom('bus_deliveries as delivery')
    .innerJoin('bus_messages as message', 'message.id', 'delivery.message_id')
    .select('message.id')
    .where('message.bus', '=', bus.name)
    .where('delivery.recipient', '=', worker)
    .where('message.id', 'in', ids)
    .execute();
  const known = new Set(mine.map((row) => row.id));
  const unknown = ids.filter((id) => !known.has(id));
  if (unknown.length > 0) {
    const text = `No message ${unknown.join(', ')} for ${worker}; nothing was acknowledged. fetch_inbox with view "all" lists messageIds.`;
    throw new ToolError('NEXUS_NOT_FOUND', text, { detail: { messageIds: unknown } });
  }
  const { now } = bus.clock;
  await bus.db
    .updateTable('bus_deliveries')
    .set((eb) => ({
      state: 'acked',
      delivered_at: eb.fn.coalesce('delivered_at', now),
      read_at: eb.fn.coalesce('read_at', now),
      acked_at: now,
    }))
    .where('recipient', '=', worker)
    .where('message_id', 'in', [...known])
    .where('state', '!=', 'acked')
    .execute();
  bus.changes.announce({ read: [worker] });
  return [...known];
}
