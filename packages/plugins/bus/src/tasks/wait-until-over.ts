import type { Bus } from '../bus.ts';
import { selectTasks } from './read-tasks.ts';
import { belongsTo } from './task-scope.ts';

/** One task, or all of a label. */
export type Awaited =
  | { readonly taskId: string; readonly label?: undefined }
  | { readonly label: string; readonly taskId?: undefined };

/**
 * Waits until each is done, dead, cancelled, or blocked for good by one that is dead or cancelled; or until the time
 * is up. It looks when it is woken by a task that is over, and now and then.
 * @throws the signal's reason when the caller goes
 */
export async function waitUntilOver(
  bus: Bus,
  awaited: Awaited,
  { until, signal }: { readonly until: number; readonly signal: AbortSignal },
): Promise<void> {
  using ear = bus.changes.ear(({ over = [] }) =>
    awaited.taskId === undefined ? over.length > 0 : over.includes(awaited.taskId),
  );
  // Where others can't be heard, what they do is found by looking.
  const stop = await bus.changes.listen().catch(() => () => {});
  try {
    for (;;) {
      const leftMs = until - Date.now();
      if (leftMs <= 0 || (await areOver(bus, awaited))) return;
      await ear.next(Math.min(leftMs, bus.options.lookAgainMs), signal);
    }
  } finally {
    stop();
  }
}

async function areOver(bus: Bus, awaited: Awaited): Promise<boolean> {
  const open = await selectTasks(bus, bus.clock.now)
    .where((eb) =>
      awaited.label === undefined ? eb('task.id', '=', awaited.taskId) : belongsTo(eb, awaited.label),
    )
    .where('task.status', 'in', ['queued', 'leased'])
    .execute();
  if (open.some(({ now_is }) => now_is !== 'blocked')) return false;
  if (open.length === 0) return true;
  const stuck = await bus.db
    .withRecursive('above', (db) =>
      db
        .selectFrom('bus_task_dependencies as need')
        .select(['need.task_id as task', 'need.depends_on as needed'])
        .where(
          'need.task_id',
          'in',
          open.map(({ id }) => id),
        )
        .union(
          db
            .selectFrom('bus_task_dependencies as need')
            .innerJoin('above', 'above.needed', 'need.task_id')
            .select(['above.task as task', 'need.depends_on as needed']),
        ),
    )
    .selectFrom('above')
    .innerJoin('bus_tasks as blocker', 'blocker.id', 'above.needed')
    .select('above.task')
    .distinct()
    .where('blocker.status', '=', 'dead')
    .execute();
  return stuck.length === open.length;
}
