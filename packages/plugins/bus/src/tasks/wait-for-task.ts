import type { Bus } from '../bus.ts';
import { readNow } from '../read-now.ts';
import type { Worker } from '../workers.ts';
import { claimTask } from './claim-task.ts';
import { endLease } from './end-lease.ts';
import { expireLeases } from './expire-leases.ts';
import { type TaskRow, toLeased } from './task-row.ts';

/**
 * Claims a task, now or once there is one: it looks when it is woken, and asks nothing meanwhile.
 * @throws the signal's reason when the caller goes
 */
export async function waitForTask(
  bus: Bus,
  worker: Worker,
  { until, signal }: { until: number; signal: AbortSignal },
): Promise<TaskRow | undefined> {
  signal.throwIfAborted();
  await expireLeases(bus);
  using _joined = until > Date.now() ? bus.watch.join() : undefined;
  for (;;) {
    signal.throwIfAborted();
    const seen = bus.changes.count;
    const task = await claimTask(bus, worker);
    // Who looks after the times of the bus may not look before this lease is over.
    if (task && task.timeout_ms < bus.options.lookAgainMs) bus.changes.announce();
    if (task) return task;
    const leftMs = until - Date.now();
    if (leftMs <= 0) return undefined;
    await bus.changes.after(seen, leftMs, signal);
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
