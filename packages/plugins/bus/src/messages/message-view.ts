import type { Selectable } from 'kysely';
import { toMoment } from '../fields.ts';
import type { BusTables } from '../tables.ts';

/** A message as both views show it. */
export function toMessageView(row: Selectable<BusTables['bus_messages']>) {
  return {
    messageId: row.id,
    threadId: row.thread_id,
    from: row.sender,
    to: row.addressee,
    body: row.body,
    ackRequired: row.ack_required === 1,
    sentAt: toMoment(row.sent_at),
  };
}
