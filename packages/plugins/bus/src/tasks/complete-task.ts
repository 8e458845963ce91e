import { isDeepStrictEqual } from 'node:util';
import { ToolError } from '@nexus/plugin-sdk';
import type { Bus } from '../bus.ts';
import { readNow } from '../read-now.ts';
import { unblock } from './blocked-on.ts';
import { endLease } from './end-lease.ts';
import { expireLeases } from './expire-leases.ts';
import { findAttempt, findLive, lostLease } from './lease.ts';
import { toLeased } from './task-row.ts';

export interface Completed {
  readonly taskId: string;
  /** The lease was over, and nobody else had taken the task. */
  readonly isLate: boolean;
}

/** In the record of an attempt that was over and came to a result all the same. */
const LATE = 'after its lease was over, when nobody else had taken the task';

/**
 * Ends the lease's task with a result; the same again answers the same. Work that comes late counts as long as
 * nobody else has taken the task.
 * @throws {ToolError} NEXUS_CONFLICT when the task is another's by now, or was completed with another result
 */
export async function completeTask(bus: Bus, leaseId: string, result: unknown): Promise<Completed> {
  const text = JSON.stringify(result);
  const task = await findLive(bus, leaseId);
  const end = { outcome: 'done', at: await readNow(bus), result: text } as const;
  if (task && (await endLease(bus, toLeased(task), end))) return { taskId: task.id, isLate: false };
  await expireLeases(bus);
  const late = await completeLate(bus, leaseId, text);
  if (late !== undefined) return { taskId: late, isLate: true };
  const attempt = await findAttempt(bus, leaseId);
  if (attempt?.outcome !== 'done') throw await lostLease(bus, leaseId);
  const stored = await bus.db
    .selectFrom('bus_tasks')
    .select('result')
    .where('id', '=', attempt.task_id)
    .executeTakeFirstOrThrow();
  if (isDeepStrictEqual(JSON.parse(stored.result ?? 'null'), JSON.parse(text))) {
    return { taskId: attempt.task_id, isLate: attempt.reason === LATE };
  }
  throw new ToolError(
    'NEXUS_CONFLICT',
    `Task ${attempt.task_id} was completed with this lease and another result, which stays: task_status shows it.`,
    { detail: { taskId: attempt.task_id, status: 'done' } },
  );
}

/** A task keeps its last lease until it is taken again; one that was reset was taken from its worker on purpose. */
async function completeLate(bus: Bus, leaseId: string, result: string): Promise<string | undefined> {
  const attempt = await findAttempt(bus, leaseId);
  const isOver = attempt?.outcome === 'expired' || attempt?.outcome === 'released';
  if (!isOver) return undefined;
  const at = await readNow(bus);
  // One that ran out was counted as failed.
  const counted = attempt.outcome === 'expired' ? 1 : 0;
  const ready = await bus.db.transaction().execute(async (tx) => {
    const task = await tx
      .updateTable('bus_tasks')
      .set((eb) => ({ status: 'done', result, finished_at: at, attempts: eb('attempts', '-', counted) }))
      .where('bus', '=', bus.name)
      .where('lease_id', '=', leaseId)
      .where('status', 'in', ['queued', 'dead'])
      .where('cancelled_why', 'is', null)
      .returning('id')
      .executeTakeFirst();
    if (!task) return undefined;
    await tx
      .updateTable('bus_attempts')
      .set({ outcome: 'done', reason: LATE, ended_at: at, retry_at: null })
      .where('lease_id', '=', leaseId)
      .execute();
    return unblock(tx, [task.id]);
  });
  if (!ready) return undefined;
  const { task_id: taskId } = attempt;
  bus.changes.announce({ needs: [...ready, ...(await unblock(bus.db, [taskId]))], over: [taskId] });
  return taskId;
}
