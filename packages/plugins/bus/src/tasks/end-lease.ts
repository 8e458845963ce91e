import type { Bus, BusOptions } from '../bus.ts';
import type { Outcome } from '../tables.ts';
import { unblock } from './blocked-on.ts';
import { toStored } from './outcomes.ts';
import type { Leased } from './task-row.ts';

export interface LeaseEnd {
  readonly outcome: Outcome;
  /** When it ended: for an expired lease the moment it ran out, whoever finds it and whenever. */
  readonly at: number;
  readonly reason?: string;
  /** What the task needs from then on, for `handed`. */
  readonly needs?: string;
  /** JSON, for `done`. */
  readonly result?: string;
  /** False sends a failed task to the dead letters at once. */
  readonly mayRetry?: boolean;
}

/** What follows for the task. */
export interface AfterLease {
  readonly status: 'queued' | 'done' | 'dead';
  readonly attempts: number;
  /** Undefined when the task is over. */
  readonly retryAt: number | undefined;
}

/**
 * Ends a lease and records it as an attempt, in one transaction that a lease already over makes void.
 * @returns undefined when the lease was over, or (for `expired`) had been extended
 */
export async function endLease(bus: Bus, leased: Leased, end: LeaseEnd): Promise<AfterLease | undefined> {
  const next = afterLease(leased, end, bus.options);
  const doneNow = next.status === 'done' ? [leased.id] : [];
  const ended = await bus.db.transaction().execute(async (tx) => {
    const task = await tx
      .updateTable('bus_tasks')
      .set({
        status: next.status,
        attempts: next.attempts,
        ...(next.retryAt === undefined ? { finished_at: end.at } : { available_at: next.retryAt }),
        ...(end.result === undefined ? {} : { result: end.result }),
        ...(end.needs === undefined ? {} : { needs: end.needs }),
      })
      .where('lease_id', '=', leased.leaseId)
      .where('status', '=', 'leased')
      .$if(end.outcome === 'expired', (query) => query.where('lease_expires_at', '<=', end.at))
      .$if(['done', 'failed', 'handed'].includes(end.outcome), (query) =>
        query.where('lease_expires_at', '>', end.at),
      )
      .returning(['id', 'needs'])
      .executeTakeFirst();
    if (!task) return undefined;
    await tx
      .insertInto('bus_attempts')
      .values({
        lease_id: leased.leaseId,
        task_id: leased.id,
        worker: leased.worker,
        ...toStored(end.outcome),
        reason: end.reason ?? null,
        started_at: leased.leasedAt,
        ended_at: end.at,
        retry_at: next.retryAt ?? null,
      })
      .execute();
    return { needs: task.needs, ready: await unblock(tx, doneNow) };
  });
  if (!ended) return undefined;
  // A task that was submitted meanwhile could not see this end, nor this that task.
  const late = bus.dialect === 'postgres' ? await unblock(bus.db, doneNow) : [];
  const own = next.status === 'queued' ? ended.needs : null;
  const needs = [...ended.ready, ...late, ...(own === null ? [] : [own])];
  const over = next.retryAt === undefined ? [leased.id] : [];
  bus.changes.announce({ needs: [...new Set(needs)], times: over.length === 0, over });
  return next;
}

function afterLease(leased: Leased, end: LeaseEnd, options: BusOptions): AfterLease {
  if (end.outcome === 'done') return { status: 'done', attempts: leased.attempts, retryAt: undefined };
  if (end.outcome === 'reset' || end.outcome === 'released' || end.outcome === 'handed') {
    return { status: 'queued', attempts: leased.attempts, retryAt: end.at };
  }
  const attempts = leased.attempts + 1;
  if (end.mayRetry === false || attempts >= leased.maxAttempts) {
    return { status: 'dead', attempts, retryAt: undefined };
  }
  const pauseMs = Math.min(options.maxBackoffMs, options.backoffMs * 2 ** (attempts - 1));
  return { status: 'queued', attempts, retryAt: end.at + pauseMs };
}
