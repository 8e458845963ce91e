import type { Bus } from '../src/bus.ts';

const AT_ONCE = 100;

/** Puts messages from `writer` to `reader` on record, whose bodies are their numbers. */
export async function fillInbox({ db, name }: Pick<Bus, 'db' | 'name'>, count: number): Promise<void> {
  for (let from = 0; from < count; from += AT_ONCE) {
    const numbers = Array.from({ length: AT_ONCE }, (_, at) => from + at);
    const id = (at: number) => `message_${name}_${at}`;
    const messages = numbers.map((at) => ({
      ...{ bus: name, id: id(at), thread_id: 'all', sender: 'writer', addressee: 'reader' },
      ...{ body: String(at), ack_required: 0, sent_at: at },
    }));
    const deliveries = numbers.map((at) => ({
      ...{ message_id: id(at), recipient: 'reader', state: 'queued' as const },
    }));
    await db.insertInto('bus_messages').values(messages).execute();
    await db.insertInto('bus_deliveries').values(deliveries).execute();
  }
}
