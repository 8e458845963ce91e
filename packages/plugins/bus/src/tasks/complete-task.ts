import { isDeepStrictEqual } from 'node:util';
import { ToolError } from '@nexus/plugin-sdk';
import type { Bus } from '../bus.ts';
import { readNow } from '../read-now.ts';
import { endLease } from './end-lease.ts';
import { findAttempt, findLive, lostLease } from './lease.ts';
import { toLeased } from './task-row.ts';

/**
 * Ends the lease's task with a result; the same again answers the same.
 * @throws {ToolError} NEXUS_CONFLICT when the lease is over or completed with another result
 */
export async function completeTask(bus: Bus, leaseId: string, result: unknown): Promise<string> {
  const text = JSON.stringify(result);
  const task = await findLive(bus, leaseId);
  const end = { outcome: 'done', at: await readNow(bus), result: text } as const;
  if (task && (await endLease(bus, toLeased(task), end))) return task.id;
  const attempt = await findAttempt(bus, leaseId);
  if (attempt?.outcome !== 'done') throw await lostLease(bus, leaseId);
  const stored = await bus.db
    .selectFrom('bus_tasks')
    .select('result')
    .where('id', '=', attempt.task_id)
    .executeTakeFirstOrThrow();
  if (isDeepStrictEqual(JSON.parse(stored.result ?? 'null'), JSON.parse(text))) return attempt.task_id;
  throw new ToolError(
    'NEXUS_CONFLICT',
    `Task ${attempt.task_id} was completed with this lease and another result, which stays: task_status shows it.`,
    { detail: { taskId: attempt.task_id, status: 'done' } },
  );
}
