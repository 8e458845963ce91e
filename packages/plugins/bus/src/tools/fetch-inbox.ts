import { type CallContext, defineTool } from '@nexus/plugin-sdk';
import { z } from 'zod';
import type { BusState } from '../bus.ts';
import { callingWorker } from '../fields.ts';
import { ackMessages } from '../messages/ack-messages.ts';
import { listInbox } from '../messages/list-inbox.ts';
import { listSent } from '../messages/list-sent.ts';
import { requireWorker } from '../workers.ts';

export const fetchInbox = defineTool({
  name: 'fetch_inbox',
  title: 'Fetch inbox',
  description:
    'Gives the worker’s messages, oldest first, and marks them. view new: those not read yet, and those with ackRequired until acked; all: the old ones too; sent: what it sent, newest first, with each recipient’s state.',
  input: z.object({
    worker: callingWorker,
    view: z.enum(['new', 'all', 'sent']).default('new').describe('Which.'),
    ack: z.array(z.string().max(64)).max(100).default([]).describe('messageIds to acknowledge.'),
    mark: z.enum(['read', 'delivered']).default('read').describe('delivered: they come again until read.'),
    threadId: z.string().max(64).optional().describe('Only this thread.'),
    limit: z.int().min(1).max(100).default(20).describe('At most; total counts all.'),
  }),
  output: z.object({
    messages: z.array(z.looseObject({ messageId: z.string(), body: z.string() })),
    total: z.int(),
    acked: z.array(z.string()),
  }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  budget: 'interactive',
  async call({ worker, view, ack, ...rest }, { state }: CallContext<BusState>) {
    const bus = await state.open();
    await requireWorker(bus, worker);
    const acked = await ackMessages(bus, worker, ack);
    const listed =
      view === 'sent'
        ? await listSent(bus, worker, rest)
        : await listInbox(bus, worker, { ...rest, isNewOnly: view === 'new' });
    return { ...listed, acked };
  },
});
