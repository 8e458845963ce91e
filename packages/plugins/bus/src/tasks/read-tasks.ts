import { fittingTwice } from '@nexus/plugin-sdk';
import type { Expression } from 'kysely';
import type { Bus } from '../bus.ts';
import { unknownTasks } from '../not-found.ts';
import { readNow } from '../read-now.ts';
import { type Caller, isHolder } from '../session-holds.ts';
import { belongsTo, mentions } from './task-scope.ts';
import { statusExpression, type TaskStatusName } from './task-status-name.ts';
import { type TaskView, toTaskView } from './task-view.ts';

/** The tasks of this bus with their status as it is now, unexecuted. */
export function selectTasks({ db, name }: Bus, now: Expression<number> | number) {
  return db
    .selectFrom('bus_tasks as task')
    .where('task.bus', '=', name)
    .selectAll('task')
    .select((eb) => statusExpression(eb, now).as('now_is'));
}

/** @throws {ToolError} NEXUS_NOT_FOUND */
export async function findTask(bus: Bus, taskId: string) {
  const row = await selectTasks(bus, bus.clock.now).where('task.id', '=', taskId).executeTakeFirst();
  if (!row) throw await unknownTasks(bus, [taskId]);
  return row;
}

/** @throws {ToolError} NEXUS_NOT_FOUND */
export async function findStatus(bus: Bus, taskId: string): Promise<TaskStatusName> {
  return (await findTask(bus, taskId)).now_is;
}

export interface TaskFilter {
  readonly status?: TaskStatusName | undefined;
  readonly label?: string | undefined;
  readonly query?: string | undefined;
  readonly limit: number;
  readonly offset: number;
  /** Who asks. */
  readonly caller: Caller;
}

/** The newest tasks, and how many fit the filter in all. */
export async function listTasks(
  bus: Bus,
  { status, label, query, limit, offset, caller }: TaskFilter,
): Promise<{ tasks: TaskView[]; total: number; nextOffset?: number }> {
  const now = await readNow(bus);
  const wanted = selectTasks(bus, now).where((eb) =>
    eb.and([
      ...(status === undefined ? [] : [eb(statusExpression(eb, now), '=', status)]),
      ...(label === undefined ? [] : [belongsTo(eb, label)]),
      ...(query === undefined ? [] : [mentions(eb, query)]),
    ]),
  );
  const rows = await wanted.orderBy('task.seq', 'desc').limit(limit).offset(offset).execute();
  const { total } = await bus.db
    .selectFrom(wanted.as('fit'))
    .select((eb) => eb.fn.countAll().as('total'))
    .executeTakeFirstOrThrow();
  const views = rows.map((row) => toTaskView(row, row.now_is, { now, isHolder: isHolder(caller, row) }));
  const tasks = fittingTwice(views, bus.results);
  const nextOffset = offset + tasks.length;
  const isMore = tasks.length > 0 && nextOffset < Number(total);
  return { tasks, total: Number(total), ...(isMore ? { nextOffset } : {}) };
}

/** How many tasks there are of each status. */
export async function countTasks(bus: Bus): Promise<Record<TaskStatusName, number>> {
  const rows = await bus.db
    .selectFrom(selectTasks(bus, bus.clock.now).as('fit'))
    .select((eb) => ['fit.now_is', eb.fn.countAll().as('total')])
    .groupBy('fit.now_is')
    .execute();
  const counts = { queued: 0, blocked: 0, leased: 0, expired: 0, done: 0, dead: 0, cancelled: 0 };
  for (const row of rows) counts[row.now_is] = Number(row.total);
  return counts;
}
