import type { Bus } from '../bus.ts';
import { countUnread } from '../messages/count-unread.ts';
import { readNow } from '../read-now.ts';
import { setTold, type Worker } from '../workers.ts';
import { type Claimant, claimTask } from './claim-task.ts';
import { endLease } from './end-lease.ts';
import { canDo } from './needs.ts';
import { type TaskRow, toLeased } from './task-row.ts';

/**
 * Claims a task, now or once there is one, and comes back without one when a message arrives that the worker was not
 * told of: it looks when it is woken by what concerns it, and asks nothing meanwhile.
 * @throws the signal's reason when the caller goes
 */
export async function waitForTask(
  bus: Bus,
  claimant: Claimant,
  { until, signal }: { until: number; signal: AbortSignal },
): Promise<TaskRow | undefined> {
  signal.throwIfAborted();
  const { worker } = claimant;
  await bus.inTurn(bus.watch.tend);
  using _joined = until > Date.now() ? bus.watch.join(worker) : undefined;
  const { told, maxTasks } = worker;
  using ear = bus.changes.ear(
    ({ needs = [], to = [], over = [], times }) =>
      to.includes(worker.name) ||
      needs.some((each) => canDo(worker, each)) ||
      // What ends may be what kept it from taking more.
      (maxTasks !== undefined && (over.length > 0 || times === true)),
  );
  for (;;) {
    const { task, isTold } = await bus.inTurn(async () => {
      const task = await claimTask(bus, claimant, signal);
      const mayWait = !task && until > Date.now();
      return { task, isTold: mayWait && (await countUnread(bus, worker.name)) > told };
    });
    // Who looks after the times of the bus may not look before this lease is over.
    if (task && task.timeout_ms < bus.options.lookAgainMs) bus.changes.announce({ times: true });
    if (task) return task;
    const leftMs = until - Date.now();
    if (leftMs <= 0 || isTold) return undefined;
    await ear.next(leftMs, signal);
  }
}

/**
 * Undoes what a poll has taken and put on record for an answer that nobody gets: nobody would finish the task, so it
 * goes back, with no attempt counted; and of unread messages the worker knows what it knew.
 */
export async function takeBack(bus: Bus, { name, told }: Worker, task: TaskRow | undefined): Promise<void> {
  const reason = 'the caller of poll_task had no answer';
  if (task) await endLease(bus, toLeased(task), { outcome: 'released', at: await readNow(bus), reason });
  await setTold(bus, name, told);
}
