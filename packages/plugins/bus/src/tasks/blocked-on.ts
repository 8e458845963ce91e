import type { ExpressionBuilder, Kysely } from 'kysely';
import type { Bus } from '../bus.ts';
import type { BusTables } from '../tables.ts';
import { needsKey } from './needs.ts';

/** Tasks settled in one go. */
const BATCH = 500;

/**
 * Lets go on what waited for these tasks and for no other that is undone.
 * @returns the needs of tasks that are ready by it
 */
export async function unblock(db: Kysely<BusTables>, done: readonly string[]): Promise<string[]> {
  if (done.length === 0) return [];
  const changed = await db
    .updateTable('bus_tasks')
    .set((eb) => ({ blocked_on: firstUndone(eb) }))
    .where('blocked_on', 'in', done)
    .returning(['needs', 'blocked_on'])
    .execute();
  return changed.flatMap(({ needs, blocked_on }) => (blocked_on === null && needs !== null ? [needs] : []));
}

/** A task that the row of `bus_tasks` waits for; null where all of them are done. */
export function firstUndone(eb: ExpressionBuilder<BusTables, 'bus_tasks'>) {
  return eb
    .selectFrom('bus_task_dependencies as need')
    .innerJoin('bus_tasks as needed', 'needed.id', 'need.depends_on')
    .select('need.depends_on')
    .whereRef('need.task_id', '=', 'bus_tasks.id')
    .where('needed.status', '!=', 'done')
    .orderBy('need.depends_on')
    .limit(1);
}

/** Says of tasks that a server of a version before submitted what they need and what blocks them. */
async function settleNew({ db, name }: Bus): Promise<void> {
  for (;;) {
    const rows = await db
      .selectFrom('bus_tasks')
      .select('id')
      .where('bus', '=', name)
      .where('needs', 'is', null)
      .where('status', '=', 'queued')
      .limit(BATCH)
      .execute();
    if (rows.length === 0) return;
    const ids = rows.map(({ id }) => id);
    await db.transaction().execute(async (tx) => {
      const skills = await tx
        .selectFrom('bus_task_capabilities')
        .selectAll()
        .where('task_id', 'in', ids)
        .execute();
      for (const id of ids) {
        const own = skills.filter(({ task_id }) => task_id === id);
        const needs = needsKey(own.map(({ capability }) => capability));
        await tx
          .updateTable('bus_tasks')
          .set((eb) => ({ needs, blocked_on: firstUndone(eb) }))
          .where('id', '=', id)
          .execute();
      }
    });
  }
}

/**
 * Mends what a server of a version before left, which knows nothing of these columns, and what two transactions
 * that could not see each other left on Postgres.
 */
export async function settle(bus: Bus): Promise<void> {
  await settleNew(bus);
  const stale = await bus.db
    .selectFrom('bus_tasks as task')
    .innerJoin('bus_tasks as needed', 'needed.id', 'task.blocked_on')
    .select('needed.id')
    .distinct()
    .where('task.bus', '=', bus.name)
    .where('task.blocked_on', 'is not', null)
    .where('needed.status', '=', 'done')
    .limit(BATCH)
    .execute();
  await unblock(
    bus.db,
    stale.map(({ id }) => id),
  );
}
