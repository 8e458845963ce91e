import type { ExpressionBuilder } from 'kysely';
import type { Bus } from '../bus.ts';
import { newId } from '../new-id.ts';
import type { Worker } from '../workers.ts';
import type { TaskRow } from './task-row.ts';
import { type TaskScope, undoneDependencies } from './undone-dependencies.ts';

/**
 * Leases the next task to the worker in one statement, so that of any number of racers one wins:
 * SQLite runs one writer at a time, Postgres locks the row it picks and lets others skip it.
 */
export function claimTask(
  { db, dialect, name: bus, clock: { now } }: Bus,
  worker: Worker,
): Promise<TaskRow | undefined> {
  return db
    .updateTable('bus_tasks')
    .set((eb) => ({
      status: 'leased',
      lease_id: newId('lease'),
      lease_worker: worker.name,
      leased_at: now,
      lease_expires_at: eb('timeout_ms', '+', now),
      acked_at: null,
    }))
    .where('id', '=', (eb) => {
      const next = eb
        .selectFrom('bus_tasks as task')
        .select('task.id')
        .where('task.bus', '=', bus)
        .where('task.status', '=', 'queued')
        .where('task.available_at', '<=', now)
        .where((task) => task.not(task.exists(undoneDependencies(task))))
        .where((task) => task.not(task.exists(lackingCapabilities(task, worker))))
        .orderBy('task.priority')
        .orderBy('task.seq')
        .limit(1);
      return dialect === 'postgres' ? next.forUpdate().skipLocked() : next;
    })
    .where('status', '=', 'queued')
    .returningAll()
    .executeTakeFirst();
}

/** What the row `task` wants and the worker can't do. */
function lackingCapabilities(eb: ExpressionBuilder<TaskScope, 'task'>, { capabilities }: Worker) {
  const wanted = eb
    .selectFrom('bus_task_capabilities as skill')
    .select('skill.capability')
    .whereRef('skill.task_id', '=', 'task.id');
  // `not in ()` is no SQL for Postgres.
  return capabilities.length === 0 ? wanted : wanted.where('skill.capability', 'not in', capabilities);
}
