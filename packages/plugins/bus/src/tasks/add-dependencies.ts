import { ToolError } from '@nexus/plugin-sdk';
import type { Transaction } from 'kysely';
import type { Bus } from '../bus.ts';
import { unknownTasks } from '../not-found.ts';
import { serialize } from '../serialize.ts';
import type { BusTables } from '../tables.ts';
import { firstUndone } from './blocked-on.ts';
import { findUnknown } from './submit-task.ts';

type InTransaction = Bus & { readonly db: Transaction<BusTables> };

/**
 * Lets a task that nobody has begun wait for more; what it waits for already is no error.
 * @throws {ToolError} NEXUS_NOT_FOUND for ids that are no tasks; NEXUS_INVALID_ARGUMENTS where one of them waits for
 * this one; NEXUS_CONFLICT for a task that is leased or over
 */
export async function addDependencies(
  bus: InTransaction,
  id: string,
  more: readonly string[],
): Promise<void> {
  // Two that each add one half of a circle would not see each other.
  await serialize(bus.db);
  const unknown = await findUnknown(bus, bus.db, more);
  if (unknown.length > 0) throw await unknownTasks(bus, unknown);
  const circle = await findCircle(bus, id, more);
  if (circle !== undefined) {
    const text = `Task ${id} can't wait for ${circle}, which is that task itself or waits for it. Nothing was changed.`;
    throw new ToolError('NEXUS_INVALID_ARGUMENTS', text, { detail: { taskId: id, circle } });
  }
  const rows = [...new Set(more)].map((depends_on) => ({ task_id: id, depends_on }));
  await bus.db
    .insertInto('bus_task_dependencies')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const waits = await bus.db
    .updateTable('bus_tasks')
    .set((eb) => ({ blocked_on: firstUndone(eb) }))
    .where('id', '=', id)
    .where('status', 'in', ['queued', 'dead'])
    .returning('id')
    .executeTakeFirst();
  if (waits) return;
  const text = `Task ${id} is no longer queued, so it can wait for nothing more. Nothing was changed.`;
  throw new ToolError('NEXUS_CONFLICT', text, { detail: { taskId: id } });
}

/** One of the tasks that waits, directly or through others, for the task with this id, or is that one. */
async function findCircle(
  { db }: InTransaction,
  id: string,
  tasks: readonly string[],
): Promise<string | undefined> {
  for (const each of tasks) {
    if (each === id) return each;
    const above = await db
      .withRecursive('above', (query) =>
        query
          .selectFrom('bus_task_dependencies as need')
          .select('need.depends_on as needed')
          .where('need.task_id', '=', each)
          .union(
            query
              .selectFrom('bus_task_dependencies as need')
              .innerJoin('above', 'above.needed', 'need.task_id')
              .select('need.depends_on as needed'),
          ),
      )
      .selectFrom('above')
      .select('needed')
      .where('needed', '=', id)
      .executeTakeFirst();
    if (above) return each;
  }
  return undefined;
}
