import { sql } from 'kysely';
import type { Bus } from '../bus.ts';
import { newId } from '../new-id.ts';
import type { Holder } from '../session-holds.ts';
import type { Worker } from '../workers.ts';
import { canDo } from './needs.ts';
import type { TaskRow } from './task-row.ts';
import { findKinds, findReady, WAITS } from './waiting-tasks.ts';

/** Who takes a task. */
export interface Claimant {
  readonly worker: Worker;
  readonly holder: Holder;
}

/**
 * Leases the next task to the worker. Of what others need nothing is looked at but that it is there.
 * @throws the signal's reason when the caller goes
 */
export async function claimTask(
  bus: Bus,
  { worker, holder }: Claimant,
  signal: AbortSignal,
): Promise<TaskRow | undefined> {
  if (await isFull(bus, worker)) return undefined;
  const kinds = (await findKinds(bus)).filter((needs) => canDo(worker, needs));
  for (;;) {
    const ready = await findReady(bus, kinds);
    for (const needs of ready) {
      signal.throwIfAborted();
      const task = await claimWithin(bus, { worker, holder }, needs);
      if (task) return task;
    }
    // Others took what was there; where there was something, there may be more.
    if (ready.length === 0 || (await isFull(bus, worker))) return undefined;
  }
}

/** Whether the worker holds as many leases as it may. */
export async function isFull(
  { db, name, clock }: Bus,
  { name: worker, maxTasks }: Pick<Worker, 'name' | 'maxTasks'>,
): Promise<boolean> {
  if (maxTasks === undefined) return false;
  const { total } = await db
    .selectFrom('bus_tasks')
    .select((eb) => eb.fn.countAll().as('total'))
    .where('bus', '=', name)
    .where(sql<boolean>`status = 'leased'`)
    .where('lease_worker', '=', worker)
    .where('lease_expires_at', '>', clock.now)
    .executeTakeFirstOrThrow();
  return Number(total) >= maxTasks;
}

/** Polls of one worker that race are let in one at a time by its row, where it may hold only so many. */
async function claimWithin(bus: Bus, claimant: Claimant, needs: string): Promise<TaskRow | undefined> {
  const { worker } = claimant;
  if (worker.maxTasks === undefined) return claimOf(bus, claimant, needs);
  return bus.db.transaction().execute(async (tx) => {
    const inside = { ...bus, db: tx };
    await tx
      .updateTable('bus_workers')
      .set((eb) => ({ told: eb.ref('told') }))
      .where('bus', '=', bus.name)
      .where('name', '=', worker.name)
      .execute();
    return (await isFull(inside, worker)) ? undefined : claimOf(inside, claimant, needs);
  });
}

/**
 * One statement, so that of any number of racers one wins: SQLite runs one writer at a time, Postgres locks the row
 * it picks and lets others skip it.
 */
function claimOf(
  { db, dialect, name: bus, clock: { now } }: Bus,
  { worker, holder }: Claimant,
  needs: string,
): Promise<TaskRow | undefined> {
  const leaseId = newId('lease');
  return db
    .updateTable('bus_tasks')
    .set((eb) => ({
      status: 'leased',
      lease_id: leaseId,
      lease_worker: worker.name,
      leased_at: now,
      lease_expires_at: eb('timeout_ms', '+', now),
      acked_at: null,
      holder: holder.id,
      holder_lease: leaseId,
      holder_stays: holder.endsWithSession ? 0 : 1,
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
