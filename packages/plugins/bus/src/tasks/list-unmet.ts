import { sql } from 'kysely';
import type { Bus } from '../bus.ts';
import type { Page } from '../page.ts';
import { listAbilities } from '../workers.ts';
import { canDo } from './needs.ts';
import { findKinds, WAITS } from './waiting-tasks.ts';

/** What tasks wait for that no registered worker can do, the most waited for first. */
export async function listUnmet(bus: Bus, { limit, offset }: Page) {
  const workers = await listAbilities(bus);
  const kinds = (await findKinds(bus)).filter(
    (needs) => needs !== '[]' && !workers.some((worker) => canDo(worker, needs)),
  );
  const items = [];
  // Those of as many tasks stay in one order.
  for (const needs of kinds.sort()) {
    const { total } = await bus.db
      .selectFrom('bus_tasks')
      .select((eb) => eb.fn.countAll().as('total'))
      .where('bus', '=', bus.name)
      .where(sql<boolean>`${WAITS}`)
      .where('needs', '=', needs)
      .executeTakeFirstOrThrow();
    items.push({ needs: JSON.parse(needs) as string[], tasks: Number(total) });
  }
  items.sort((a, b) => b.tasks - a.tasks);
  return { total: items.length, items: items.slice(offset, offset + limit) };
}
