import { ToolError } from '@nexus/plugin-sdk';
import type { Bus } from '../bus.ts';
import { readNow } from '../read-now.ts';
import { endLease } from './end-lease.ts';
import { findAttempt, findLive, lostLease } from './lease.ts';
import { toLeased } from './task-row.ts';

export interface Failed {
  readonly taskId: string;
  /** Undefined for a dead letter. */
  readonly retryAt: number | undefined;
}

/**
 * Ends the lease as a failed attempt; the same again answers the same.
 * @throws {ToolError} NEXUS_CONFLICT when the lease is over or failed for another reason
 */
export async function failTask(
  bus: Bus,
  leaseId: string,
  { reason, mayRetry }: { reason: string; mayRetry: boolean },
): Promise<Failed> {
  const task = await findLive(bus, leaseId);
  const end = { outcome: 'failed', at: await readNow(bus), reason, mayRetry } as const;
  const after = task && (await endLease(bus, toLeased(task), end));
  if (task && after) return { taskId: task.id, retryAt: after.retryAt };
  const attempt = await findAttempt(bus, leaseId);
  if (attempt?.outcome !== 'failed') throw await lostLease(bus, leaseId);
  // A retry that was asked for and one that was not can both end in a dead letter: only this one can't.
  const isSame = attempt.reason === reason && (mayRetry || attempt.retry_at === null);
  if (isSame) return { taskId: attempt.task_id, retryAt: attempt.retry_at ?? undefined };
  throw new ToolError(
    'NEXUS_CONFLICT',
    `This lease failed task ${attempt.task_id} before, with the reason "${attempt.reason}", which stays.`,
    { detail: { taskId: attempt.task_id } },
  );
}
