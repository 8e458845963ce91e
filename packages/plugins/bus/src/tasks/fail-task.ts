import { ToolError } from '@nexus/plugin-sdk';
import type { Bus } from '../bus.ts';
import { readNow } from '../read-now.ts';
import { requireWorker } from '../workers.ts';
import { endLease } from './end-lease.ts';
import { findAttempt, findLive, lostLease } from './lease.ts';
import { needsOf } from './needs.ts';
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

/** Stands for whoever can do it. */
const ANYONE = '*';

/**
 * Ends the lease with the task queued for the worker that is named, or anyone, and no attempt counted; the same again
 * answers the same.
 * @throws {ToolError} NEXUS_CONFLICT when the lease is over; NEXUS_NOT_FOUND for a name that is no worker
 */
export async function handOver(
  bus: Bus,
  leaseId: string,
  { reason, to }: { readonly reason: string; readonly to: string },
): Promise<Failed> {
  if (to !== ANYONE) await requireWorker(bus, to);
  const task = await findLive(bus, leaseId);
  const at = await readNow(bus);
  const needs = needsOf(task?.needs ?? '[]', to === ANYONE ? undefined : to);
  const said = `to ${to === ANYONE ? 'anyone' : to}: ${reason}`;
  const end = { outcome: 'handed', at, reason: said, needs } as const;
  if (task && (await endLease(bus, toLeased(task), end))) return { taskId: task.id, retryAt: at };
  const attempt = await findAttempt(bus, leaseId);
  if (attempt?.outcome !== 'handed' || attempt.reason !== said) throw await lostLease(bus, leaseId);
  return { taskId: attempt.task_id, retryAt: attempt.ended_at };
}
