import { type CallContext, defineTool, jsonLength, ToolError } from '@nexus/plugin-sdk';
import { z } from 'zod';
import type { BusState } from '../bus.ts';
import { callingWorker } from '../fields.ts';
import { ackMessages } from '../messages/ack-messages.ts';
import { confirmBatches, confirmShown, openBatch } from '../messages/batches.ts';
import { listInbox } from '../messages/list-inbox.ts';
import { listMessages } from '../messages/list-messages.ts';
import { requireSelf, setTold } from '../workers.ts';

export const fetchInbox = defineTool({
  name: 'fetch_inbox',
  title: 'Fetch inbox',
  description:
    'Gives the worker’s messages. view new: unread, urgent first, then those lacking their ack. What it showed is read once this session asks again or gives nextCursor. Other views mark nothing: all received; sent, newest first, with recipients’ states; thread.',
  input: z.object({
    worker: callingWorker,
    view: z.enum(['new', 'all', 'sent', 'thread']).default('new').describe('Which.'),
    ack: z.array(z.string().max(64)).max(100).default([]).describe('messageIds to acknowledge.'),
    cursor: z.string().max(100).optional().describe('nextCursor of the answer before.'),
    mark: z
      .enum(['read', 'delivered'])
      .optional()
      .describe('read: at once. delivered: only nextCursor makes them read.'),
    threadId: z.string().max(64).optional().describe('Only this thread.'),
    limit: z.int().min(1).max(100).default(20).describe('Most messages.'),
  }),
  aliases: { name: 'worker', agent: 'worker' },
  output: z.object({
    messages: z.array(z.looseObject({ messageId: z.string(), body: z.string() })),
    total: z.int(),
    nextCursor: z.string().optional(),
    acked: z.array(z.string()),
  }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  budget: 'interactive',
  async call({ worker, view, ack, cursor, mark, ...rest }, context: CallContext<BusState>) {
    const { state, session, signal, user } = context;
    if (view === 'thread' && rest.threadId === undefined) {
      throw new ToolError('NEXUS_INVALID_ARGUMENTS', 'view thread needs threadId, which every message has.');
    }
    if (view !== 'new' && ack.length === 0) {
      // Nothing is marked, and so nobody is waited for who writes.
      const bus = await state.openToRead();
      await requireSelf(bus, { name: worker, user });
      return { ...(await listMessages(bus, worker, { ...rest, view, cursor })), acked: [] };
    }
    const bus = await state.open();
    await requireSelf(bus, { name: worker, user });
    await confirmShown(bus, session, worker);
    await setTold(bus, worker, 0);
    const acked = await ackMessages(bus, worker, ack);
    const beside = jsonLength(acked);
    if (view !== 'new')
      return { ...(await listMessages(bus, worker, { ...rest, beside, view, cursor })), acked };
    if (cursor !== undefined) await confirmBatches(bus, { worker, batches: [batchOf(cursor)] });
    const { shown, total } = await listInbox(bus, worker, { ...rest, beside });
    const messages = shown.map((each) => each.view);
    const fresh = shown.filter(({ row }) => row.state !== 'read');
    if (fresh.length === 0) return { messages, total, acked };
    const batch = await openBatch(bus, worker, fresh);
    // Whoever has gone was shown nothing.
    signal.throwIfAborted();
    if (mark === 'read') await confirmBatches(bus, { worker, batches: [batch] }, signal);
    if (mark === undefined) bus.shown.add(session, { worker, batch });
    return { messages, total, nextCursor: batch, acked };
  },
});

function batchOf(cursor: string): string {
  if (cursor.startsWith('batch_')) return cursor;
  const text = `cursor "${cursor}" is of no answer of view new, so nothing was marked. Give its nextCursor, or none.`;
  throw new ToolError('NEXUS_INVALID_ARGUMENTS', text);
}
