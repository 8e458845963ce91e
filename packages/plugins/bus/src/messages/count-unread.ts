import type { Bus } from '../bus.ts';

/** Messages that the worker has not read yet. */
export async function countUnread({ db, name }: Bus, worker: string): Promise<number> {
  const { total } = await db
    .selectFrom('bus_deliveries as delivery')
    .innerJoin('bus_messages as message', 'message.id', 'delivery.message_id')
    .select((eb) => eb.fn.countAll().as('total'))
    .where('message.bus', '=', name)
    .where('delivery.recipient', '=', worker)
    .where('delivery.state', 'in', ['queued', 'delivered'])
    .executeTakeFirstOrThrow();
  return Number(total);
}
