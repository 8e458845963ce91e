import type { Selectable } from 'kysely';
import { toMoment } from '../fields.ts';
import type { BusTables } from '../tables.ts';

/** In the order in which an inbox gives them. */
export const IMPORTANCE = ['urgent', 'normal', 'low'] as const;

export type Importance = (typeof IMPORTANCE)[number];

export type MessageRow = Selectable<BusTables['bus_messages']>;

/** A message as every view shows it. */
export function toMessageView(row: MessageRow) {
  return {
    messageId: row.id,
    threadId: row.thread_id,
    from: row.sender,
    to: row.addressee,
    body: row.body,
    importance: IMPORTANCE[row.importance] ?? 'normal',
    ackRequired: row.ack_required === 1,
    sentAt: toMoment(row.sent_at),
  };
}
