import { type CallContext, defineTool } from '@nexus/plugin-sdk';
import { z } from 'zod';
import type { BusState } from '../bus.ts';
import { workerName } from '../fields.ts';
import { IMPORTANCE } from '../messages/message-view.ts';
import { storeMessage } from '../messages/store-message.ts';

export const sendMessage = defineTool({
  name: 'send_message',
  title: 'Send message',
  description:
    'Leaves a message in a worker’s inbox. fetch_inbox with view sent shows each recipient’s state.',
  input: z.object({
    from: workerName.describe('Your worker name.'),
    to: workerName.describe('A worker; "*": all others registered now; "*rust": those with it.'),
    body: z.string().min(1).max(64_000).describe('The text.'),
    threadId: z.string().max(64).optional().describe('To reply. Omitted: a new thread.'),
    importance: z.enum(IMPORTANCE).default('normal').describe('Urgent ones are given first.'),
    ackRequired: z.boolean().default(false).describe('Comes again until acked.'),
  }),
  aliases: { text: 'body', message: 'body', content: 'body', sender: 'from', recipient: 'to' },
  output: z.object({ messageId: z.string(), threadId: z.string(), recipients: z.array(z.string()) }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  budget: 'interactive',
  async call(input, { state, user }: CallContext<BusState>) {
    return storeMessage(await state.open(), { ...input, user });
  },
});
