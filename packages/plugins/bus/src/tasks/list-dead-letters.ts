import type { Bus } from '../bus.ts';
import type { Page } from '../page.ts';
import { lastReason } from './describe-task.ts';

/** The latest dead letters: why each died, and how many tasks wait for it. */
export async function listDeadLetters(bus: Bus, { limit, offset }: Page) {
  const dead = bus.db
    .selectFrom('bus_tasks')
    .where('bus', '=', bus.name)
    .where('status', '=', 'dead')
    .where('cancelled_why', 'is', null);
  const { total } = await dead.select((eb) => eb.fn.countAll().as('total')).executeTakeFirstOrThrow();
  const rows = await dead
    .select(['id', 'title', 'attempts'])
    .orderBy('finished_at', 'desc')
    .orderBy('seq', 'desc')
    .limit(limit)
    .offset(offset)
    .execute();
  const items = [];
  for (const { id, title, attempts } of rows) {
    const reason = await lastReason(bus, id);
    const letter = { taskId: id, title, attempts, blocks: await countWaiting(bus, id) };
    items.push(reason === undefined ? letter : { ...letter, reason });
  }
  return { total: Number(total), items };
}

async function countWaiting({ db }: Bus, id: string): Promise<number> {
  const { total } = await db
    .selectFrom('bus_task_dependencies')
    .select((eb) => eb.fn.countAll().as('total'))
    .where('depends_on', '=', id)
    .executeTakeFirstOrThrow();
  return Number(total);
}
