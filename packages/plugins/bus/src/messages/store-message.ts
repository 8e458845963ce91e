import { ToolError } from '@nexus/plugin-sdk';
import type { Bus } from '../bus.ts';
import { newId } from '../new-id.ts';
import { listAbilities, requireSelf, requireWorker } from '../workers.ts';
import { IMPORTANCE, type Importance } from './message-view.ts';

/** Addresses every registered worker but the sender; with a capability behind it, those that have it. */
const EVERYONE = '*';

export interface Message {
  readonly from: string;
  /** Who sends it; absent for the server's own user. */
  readonly user: string | undefined;
  readonly to: string;
  readonly body: string;
  readonly threadId?: string | undefined;
  readonly ackRequired: boolean;
  readonly importance: Importance;
}

/**
 * Stores a message and one delivery for each recipient, all or nothing.
 * @throws {ToolError} NEXUS_NOT_FOUND for a name that is no worker, or "*" with nobody else there
 */
export async function storeMessage(bus: Bus, message: Message) {
  const messageId = newId('message');
  const threadId = message.threadId ?? messageId;
  await requireSelf(bus, { name: message.from, user: message.user });
  const recipients = await findRecipients(bus, message);
  await bus.db.transaction().execute(async (tx) => {
    await tx
      .insertInto('bus_messages')
      .values({
        bus: bus.name,
        id: messageId,
        thread_id: threadId,
        sender: message.from,
        addressee: message.to,
        body: message.body,
        ack_required: message.ackRequired ? 1 : 0,
        importance: IMPORTANCE.indexOf(message.importance),
        sent_at: bus.clock.now,
      })
      .execute();
    const rows = recipients.map((recipient) => ({
      message_id: messageId,
      recipient,
      state: 'queued' as const,
    }));
    await tx.insertInto('bus_deliveries').values(rows).execute();
  });
  bus.changes.announce({ to: recipients });
  return { messageId, threadId, recipients };
}

async function findRecipients(bus: Bus, { from, to }: Message): Promise<string[]> {
  if (!to.startsWith(EVERYONE)) return [(await requireWorker(bus, to)).name];
  const capability = to.slice(EVERYONE.length);
  const others = (await listAbilities(bus)).filter(({ name }) => name !== from);
  const able = others.filter((each) => capability === '' || each.capabilities.includes(capability));
  if (able.length > 0) return able.map(({ name }) => name);
  const which = capability === '' ? '' : ` with the capability "${capability}"`;
  const text = `No worker but ${from} is registered${which}, so "${to}" reaches nobody and nothing was sent.`;
  throw new ToolError('NEXUS_NOT_FOUND', text, { detail: { to } });
}
