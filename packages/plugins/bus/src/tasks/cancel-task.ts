import { ToolError } from '@nexus/plugin-sdk';
import type { Bus } from '../bus.ts';
import { readNow } from '../read-now.ts';
import { toStored } from './outcomes.ts';
import { toLeased } from './task-row.ts';

/**
 * Ends a task undone, with the lease that holds it; again is no error. What depends on it stays blocked.
 * @param bus within a transaction
 * @throws {ToolError} NEXUS_CONFLICT for a task that is done
 */
export async function cancelTask(bus: Bus, taskId: string, why: string): Promise<void> {
  const at = await readNow(bus);
  const end = { status: 'dead', cancelled_why: why, finished_at: at } as const;
  const held = await bus.db
    .updateTable('bus_tasks')
    .set(end)
    .where('id', '=', taskId)
    .where('status', '=', 'leased')
    .returningAll()
    .executeTakeFirst();
  if (held) {
    const { leaseId, worker, leasedAt } = toLeased(held);
    await bus.db
      .insertInto('bus_attempts')
      .values({
        ...{ lease_id: leaseId, task_id: taskId, worker, ...toStored('cancelled'), reason: why },
        ...{ started_at: leasedAt, ended_at: at, retry_at: null },
      })
      .execute();
    return;
  }
  await bus.db
    .updateTable('bus_tasks')
    .set(end)
    .where('id', '=', taskId)
    .where('status', 'in', ['queued', 'dead'])
    .where('cancelled_why', 'is', null)
    .execute();
  const { status, cancelled_why } = await bus.db
    .selectFrom('bus_tasks')
    .select(['status', 'cancelled_why'])
    .where('id', '=', taskId)
    .executeTakeFirstOrThrow();
  if (cancelled_why !== null) return;
  const text = `Task ${taskId} is ${status} and was not cancelled. task_status has its result.`;
  throw new ToolError('NEXUS_CONFLICT', text, { detail: { taskId, status } });
}
