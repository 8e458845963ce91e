import { ToolError } from '@nexus/plugin-sdk';
import type { Bus } from '../bus.ts';
import { roomForMessages } from '../page.ts';
import { fitMessages } from './fit-messages.ts';

/** The record, in which nothing is marked: what reached the worker, what it sent, or a thread that it is part of. */
export interface MessageFilter {
  readonly view: 'all' | 'sent' | 'thread';
  readonly threadId?: string | undefined;
  /** Where the page begins, as `nextCursor` said it: a messageId, and how much of its body comes before. */
  readonly cursor?: string | undefined;
  readonly limit: number;
  /** Characters of JSON that the answer has besides. */
  readonly beside?: number;
}

/**
 * A page of messages, oldest first; those the worker sent newest first, with how far each got with its recipients.
 * @throws {ToolError} NEXUS_INVALID_ARGUMENTS for a cursor that no page gave
 */
export async function listMessages(
  bus: Bus,
  worker: string,
  { view, threadId, cursor, limit, beside }: MessageFilter,
) {
  const start = cursor === undefined ? undefined : await findStart(bus, cursor);
  const isMine = ['sent', 'thread'].includes(view);
  const reachedMe = ['all', 'thread'].includes(view);
  const fitting = bus.db
    .selectFrom('bus_messages as message')
    .where('message.bus', '=', bus.name)
    .$if(threadId !== undefined, (query) => query.where('message.thread_id', '=', threadId ?? ''))
    .where((eb) =>
      eb.or([
        ...(isMine ? [eb('message.sender', '=', worker)] : []),
        ...(reachedMe
          ? [
              eb.exists(
                eb
                  .selectFrom('bus_deliveries as delivery')
                  .select('delivery.message_id')
                  .whereRef('delivery.message_id', '=', 'message.id')
                  .where('delivery.recipient', '=', worker),
              ),
            ]
          : []),
      ]),
    );
  const { total } = await fitting.select((eb) => eb.fn.countAll().as('total')).executeTakeFirstOrThrow();
  const rows = await fitting
    .selectAll('message')
    .$if(start !== undefined, (query) =>
      query.where('message.seq', view === 'sent' ? '<=' : '>=', start?.seq ?? 0),
    )
    .orderBy('message.seq', view === 'sent' ? 'desc' : 'asc')
    .limit(limit + 1)
    .execute();
  const pending = rows
    .map((row) => ({ row, from: row.seq === start?.seq ? start.from : 0 }))
    .filter(({ row, from }) => from < row.body.length);
  const recipients = await findRecipients(
    bus,
    pending.map(({ row }) => row.id),
  );
  const shown = fitMessages(pending.slice(0, limit), roomForMessages(bus, beside), ({ id }) => ({
    recipients: recipients.get(id) ?? [],
  }));
  const last = shown.at(-1);
  const next = pending[shown.length];
  const nextCursor = last && !last.isWhole ? `${last.row.id}+${last.to}` : next && `${next.row.id}+0`;
  return {
    messages: shown.map((each) => each.view),
    total: Number(total),
    ...(nextCursor === undefined ? {} : { nextCursor }),
  };
}

async function findStart({ db, name }: Bus, cursor: string): Promise<{ seq: number; from: number }> {
  const [, id = '', from = ''] = /^(message_[0-9a-f]+)\+(\d{1,9})$/.exec(cursor) ?? [];
  const row = await db
    .selectFrom('bus_messages')
    .select('seq')
    .where('bus', '=', name)
    .where('id', '=', id)
    .executeTakeFirst();
  if (row) return { seq: row.seq, from: Number(from) };
  const text = `cursor "${cursor}" is of no page of this view. Give the nextCursor of the page before, or none for the first page.`;
  throw new ToolError('NEXUS_INVALID_ARGUMENTS', text);
}

async function findRecipients({ db }: Bus, ids: readonly string[]) {
  const found = new Map<string, { worker: string; state: string }[]>();
  if (ids.length === 0) return found;
  const rows = await db
    .selectFrom('bus_deliveries')
    .select(['message_id', 'recipient', 'state'])
    .where('message_id', 'in', ids)
    .orderBy('recipient')
    .execute();
  for (const { message_id, recipient, state } of rows) {
    found.set(message_id, [...(found.get(message_id) ?? []), { worker: recipient, state }]);
  }
  return found;
}
