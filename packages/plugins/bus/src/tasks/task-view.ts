import { toMoment } from '../fields.ts';
import type { TaskRow } from './task-row.ts';
import type { TaskStatusName } from './task-status-name.ts';

/** A task as lists show it; times are ISO 8601, and those that do not apply are left out. */
export type TaskView = {
  readonly taskId: string;
  readonly title: string;
  readonly status: TaskStatusName;
  readonly priority: number;
  readonly attempts: number;
  readonly maxAttempts: number;
  readonly createdAt: string;
  readonly retryAt?: string;
  readonly worker?: string;
  readonly leaseId?: string;
  readonly leaseExpiresAt?: string;
  readonly ackedAt?: string;
  readonly finishedAt?: string;
};

export function toTaskView(row: TaskRow, status: TaskStatusName, now: number): TaskView {
  const isHeld = row.status === 'leased';
  return {
    taskId: row.id,
    title: row.title,
    status,
    priority: row.priority,
    // The table counts those that failed; the one that succeeded, or still runs, is one too.
    attempts: row.attempts + (row.status === 'done' || isHeld ? 1 : 0),
    maxAttempts: row.max_attempts,
    createdAt: toMoment(row.created_at),
    ...(row.status === 'queued' && row.available_at > now ? { retryAt: toMoment(row.available_at) } : {}),
    ...(row.lease_worker !== null && (isHeld || row.status === 'done') ? { worker: row.lease_worker } : {}),
    ...(isHeld && row.lease_id !== null ? { leaseId: row.lease_id } : {}),
    ...(isHeld && row.lease_expires_at !== null ? { leaseExpiresAt: toMoment(row.lease_expires_at) } : {}),
    ...(isHeld && row.acked_at !== null ? { ackedAt: toMoment(row.acked_at) } : {}),
    ...(row.finished_at !== null ? { finishedAt: toMoment(row.finished_at) } : {}),
  };
}
