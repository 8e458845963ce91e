import type { ExpressionBuilder, UpdateObject } from 'kysely';
import type { Bus } from '../bus.ts';
import type { BusTables } from '../tables.ts';
import { lostLease } from './lease.ts';
import type { TaskRow } from './task-row.ts';

/**
 * Changes a task that the lease still holds, in one statement.
 * @throws {ToolError} NEXUS_CONFLICT when the lease is over, NEXUS_NOT_FOUND when there never was one
 */
export async function updateLease(
  bus: Bus,
  leaseId: string,
  change: (eb: ExpressionBuilder<BusTables, 'bus_tasks'>) => UpdateObject<BusTables, 'bus_tasks'>,
): Promise<TaskRow> {
  const task = await bus.db
    .updateTable('bus_tasks')
    .set(change)
    .where('bus', '=', bus.name)
    .where('lease_id', '=', leaseId)
    .where('status', '=', 'leased')
    .where('lease_expires_at', '>', bus.clock.now)
    .returningAll()
    .executeTakeFirst();
  if (!task) throw await lostLease(bus, leaseId);
  return task;
}
