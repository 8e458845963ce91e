import type { Bus } from '../bus.ts';
import { readNow } from '../read-now.ts';
import type { Worker } from '../workers.ts';
import { claimTask } from './claim-task.ts';
import { endLease } from './end-lease.ts';
import { expireLeases } from './expire-leases.ts';
import { type TaskRow, toLeased } from './task-row.ts';

/**
 * Claims a task, now or once there is one. A submit in this process wakes it at once; work of another
 * process, run-out leases and elapsed pauses are found by looking again.
 * @throws the signal's reason when the caller goes
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
    if (task) return task;
    const leftMs = until - Date.now();
    if (leftMs <= 0) return undefined;
    await bus.changes.after(seen, Math.min(leftMs, bus.options.lookAgainMs), signal);
  }
}

/**
 * The last thing before the answer: nobody would finish a task claimed for a caller who has gone, so it
 * goes back, with no attempt counted.
 * @throws the signal's reason
 */
export async function giveBackIfGone(bus: Bus, task: TaskRow, signal: AbortSignal): Promise<void> {
  if (!signal.aborted) return;
  const reason = 'the caller of poll_task went before the answer';
  await endLease(bus, toLeased(task), { outcome: 'released', at: await readNow(bus), reason });
  throw signal.reason;
}
