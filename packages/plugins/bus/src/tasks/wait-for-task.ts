import type { Bus } from '../bus.ts';
import type { Worker } from '../workers.ts';
import { claimTask } from './claim-task.ts';
import { endLease } from './end-lease.ts';
import { expireLeases } from './expire-leases.ts';
import { type TaskRow, toLeased } from './task-row.ts';

/**
 * Claims a task, now or once there is one. A submit in this process wakes it at once; work of another
 * process, run-out leases and elapsed pauses are found by looking again.
 * @throws the signal's reason when the caller goes; a task claimed meanwhile goes back unharmed
 */
export async function waitForTask(
  bus: Bus,
  worker: Worker,
  { until, signal }: { until: number; signal: AbortSignal },
): Promise<TaskRow | undefined> {
  for (;;) {
    signal.throwIfAborted();
    const seen = bus.changes.count;
    await expireLeases(bus);
    const task = await claimTask(bus, worker);
    if (task) return handOver(bus, task, signal);
    const leftMs = until - Date.now();
    if (leftMs <= 0) return undefined;
    await bus.changes.after(seen, Math.min(leftMs, bus.options.lookAgainMs), signal);
  }
}

/** Nobody would ever finish a task that was claimed for a caller who has gone. */
async function handOver(bus: Bus, task: TaskRow, signal: AbortSignal): Promise<TaskRow> {
  if (!signal.aborted) return task;
  const reason = 'the caller of poll_task went before the answer';
  await endLease(bus, toLeased(task), { outcome: 'released', at: Date.now(), reason });
  throw signal.reason;
}
