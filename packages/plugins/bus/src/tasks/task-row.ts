import type { Selectable } from 'kysely';
import type { TasksTable } from '../tables.ts';

export type TaskRow = Selectable<TasksTable>;

/** A task under a lease, present or past: the columns that a claim fills. */
export interface Leased {
  readonly id: string;
  readonly leaseId: string;
  readonly worker: string;
  readonly leasedAt: number;
  readonly expiresAt: number;
  readonly attempts: number;
  readonly maxAttempts: number;
}

/** @throws {Error} when the row was never claimed, which the caller's query rules out */
export function toLeased(row: TaskRow): Leased {
  const { lease_id: leaseId, lease_worker: worker, leased_at: leasedAt, lease_expires_at: expiresAt } = row;
  if (leaseId === null || worker === null || leasedAt === null || expiresAt === null) {
    throw new Error(`task ${row.id} is ${row.status} and has no lease`);
  }
  return {
    id: row.id,
    leaseId,
    worker,
    leasedAt,
    expiresAt,
    attempts: row.attempts,
    maxAttempts: row.max_attempts,
  };
}
