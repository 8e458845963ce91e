import { ToolError } from '@nexus/plugin-sdk';
import type { Bus } from '../bus.ts';
import { findStatus } from './read-tasks.ts';
import type { TaskStatusName } from './task-status-name.ts';

/**
 * Makes a dead, cancelled or pausing task ready now; the record of its attempts stays.
 * @throws {ToolError} NEXUS_CONFLICT for a task that is done
 */
export async function retryTask(
  bus: Bus,
  taskId: string,
): Promise<{ taskId: string; status: TaskStatusName; isChanged: boolean }> {
  const { now } = bus.clock;
  const changed = await bus.db
    .updateTable('bus_tasks')
    .set((eb) => ({
      status: 'queued',
      attempts: eb.case().when('status', '=', 'queued').then(eb.ref('attempts')).else(0).end(),
      available_at: now,
      finished_at: null,
      cancelled_why: null,
    }))
    .where('bus', '=', bus.name)
    .where('id', '=', taskId)
    .where((eb) =>
      eb.or([eb('status', '=', 'dead'), eb.and([eb('status', '=', 'queued'), eb('available_at', '>', now)])]),
    )
    .returning(['id', 'needs'])
    .executeTakeFirst();
  const status = await findStatus(bus, taskId);
  if (changed) bus.changes.announce(changed.needs === null ? { all: true } : { needs: [changed.needs] });
  if (status === 'done' && !changed) {
    const text = `Task ${taskId} is done and can't be retried. Submit a new task to have it done again.`;
    throw new ToolError('NEXUS_CONFLICT', text, { detail: { taskId, status } });
  }
  return { taskId, status, isChanged: changed !== undefined };
}
