import type { Bus } from '../bus.ts';
import { readNow } from '../read-now.ts';
import { endLease } from './end-lease.ts';
import { toLeased } from './task-row.ts';

/** Queues what the worker holds; answers the tasks' ids. */
export async function resetTasks(bus: Bus, worker: string): Promise<string[]> {
  const held = await bus.db
    .selectFrom('bus_tasks')
    .selectAll()
    .where('bus', '=', bus.name)
    .where('status', '=', 'leased')
    .where('lease_worker', '=', worker)
    .execute();
  const returned: string[] = [];
  for (const row of held) {
    const end = {
      outcome: 'reset',
      at: await readNow(bus),
      reason: `reset_worker was called for ${worker}`,
    } as const;
    if (await endLease(bus, toLeased(row), end)) returned.push(row.id);
  }
  return returned;
}
