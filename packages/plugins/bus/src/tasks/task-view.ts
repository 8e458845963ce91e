import { z } from 'zod';
import { toMoment } from '../fields.ts';
import type { TaskRow } from './task-row.ts';
import { type TaskStatusName, taskStatusName } from './task-status-name.ts';

/** A task as lists show it; times are ISO 8601, and those that do not apply are left out. */
export const taskView = z.object({
  taskId: z.string(),
  title: z.string(),
  status: taskStatusName,
  priority: z.number(),
  label: z.string().optional(),
  attempts: z.int(),
  maxAttempts: z.int(),
  createdAt: z.string(),
  retryAt: z.string().optional(),
  worker: z.string().optional(),
  leaseId: z.string().optional(),
  leaseExpiresAt: z.string().optional(),
  ackedAt: z.string().optional(),
  finishedAt: z.string().optional(),
});

export type TaskView = Readonly<z.output<typeof taskView>>;

/** @param isHolder who asks holds the task's lease, whose id is shown to nobody else */
export function toTaskView(
  row: TaskRow,
  status: TaskStatusName,
  { now, isHolder }: { now: number; isHolder: boolean },
): TaskView {
  const isHeld = row.status === 'leased';
  return {
    taskId: row.id,
    title: row.title,
    status,
    priority: row.priority,
    ...(row.label === null ? {} : { label: row.label }),
    // The table counts those that failed; the one that succeeded, or still runs, is one too.
    attempts: row.attempts + (row.status === 'done' || isHeld ? 1 : 0),
    maxAttempts: row.max_attempts,
    createdAt: toMoment(row.created_at),
    ...(row.status === 'queued' && row.available_at > now ? { retryAt: toMoment(row.available_at) } : {}),
    ...(row.lease_worker !== null && (isHeld || row.status === 'done') ? { worker: row.lease_worker } : {}),
    ...(isHeld && isHolder && row.lease_id !== null ? { leaseId: row.lease_id } : {}),
    ...(isHeld && row.lease_expires_at !== null ? { leaseExpiresAt: toMoment(row.lease_expires_at) } : {}),
    ...(isHeld && row.acked_at !== null ? { ackedAt: toMoment(row.acked_at) } : {}),
    ...(row.finished_at !== null ? { finishedAt: toMoment(row.finished_at) } : {}),
  };
}
