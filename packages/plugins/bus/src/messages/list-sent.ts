import type { Bus } from '../bus.ts';
import { toMessageView } from './message-view.ts';

/** What the worker sent, newest first, with how far it got with each recipient. */
export async function listSent(
  { db, name }: Bus,
  worker: string,
  { threadId, limit }: { threadId?: string | undefined; limit: number },
) {
  const fitting = db
    .selectFrom('bus_messages')
    .where('bus', '=', name)
    .where('sender', '=', worker)
    .$if(threadId !== undefined, (query) => query.where('thread_id', '=', threadId ?? ''));
  const { total } = await fitting.select((eb) => eb.fn.countAll().as('total')).executeTakeFirstOrThrow();
  const rows = await fitting.selectAll().orderBy('seq', 'desc').limit(limit).execute();
  const messages = [];
  for (const row of rows) {
    const recipients = await db
      .selectFrom('bus_deliveries')
      .select(['recipient as worker', 'state'])
      .where('message_id', '=', row.id)
      .orderBy('recipient')
      .execute();
    messages.push({ ...toMessageView(row), recipients });
  }
  return { messages, total: Number(total) };
}
