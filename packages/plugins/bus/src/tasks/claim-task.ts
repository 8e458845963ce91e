import { sql } from 'kysely';
import type { Bus } from '../bus.ts';
import { newId } from '../new-id.ts';
import type { Worker } from '../workers.ts';
import { canDo } from './needs.ts';
import type { TaskRow } from './task-row.ts';
import { findKinds, findReady, WAITS } from './waiting-tasks.ts';

/**
 * Leases the next task to the worker. Of what others need nothing is looked at but that it is there.
 * @throws the signal's reason when the caller goes
 */
export async function claimTask(bus: Bus, worker: Worker, signal: AbortSignal): Promise<TaskRow | undefined> {
  const kinds = (await findKinds(bus)).filter((needs) => canDo(worker, needs));
  for (;;) {
    const ready = await findReady(bus, kinds);
    for (const needs of ready) {
      signal.throwIfAborted();
      const task = await claimOf(bus, worker, needs);
      if (task) return task;
    }
    // Others took what was there; where there was something, there may be more.
    if (ready.length === 0) return undefined;
  }
}

/**
 * One statement, so that of any number of racers one wins: SQLite runs one writer at a time, Postgres locks the row
 * it picks and lets others skip it.
 */
function claimOf(
  { db, dialect, name: bus, clock: { now } }: Bus,
  worker: Worker,
  needs: string,
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
        .selectFrom('bus_tasks')
        .select('id')
        .where('bus', '=', bus)
        .where(WAITS)
        .where('needs', '=', needs)
        .where('available_at', '<=', now)
        .orderBy('priority')
        .orderBy('seq')
        .limit(1);
      return dialect === 'postgres' ? next.forUpdate().skipLocked() : next;
    })
    .where(sql<boolean>`status = 'queued'`)
    .returningAll()
    .executeTakeFirst();
}
