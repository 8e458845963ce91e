import { sql } from 'kysely';
import type { Bus } from '../bus.ts';
import { endLease } from './end-lease.ts';
import { type Leased, toLeased } from './task-row.ts';

const BATCH = 100;

/** Takes back what was leased and not finished in time: by a dead worker, or one that sent no heartbeat. */
export async function expireLeases(bus: Bus): Promise<void> {
  for (;;) {
    const overdue = await findOverdue(bus);
    for (const task of overdue) await expire(bus, task);
    if (overdue.length < BATCH) return;
  }
}

async function findOverdue({ db, name, clock }: Bus): Promise<Leased[]> {
  const rows = await db
    .selectFrom('bus_tasks')
    .selectAll()
    .where('bus', '=', name)
    .where(sql<boolean>`status = 'leased'`)
    .where('lease_expires_at', '<=', clock.now)
    .limit(BATCH)
    .execute();
  return rows.map(toLeased);
}

async function expire(bus: Bus, task: Leased): Promise<void> {
  await endLease(bus, task, {
    outcome: 'expired',
    at: task.expiresAt,
    reason: `the lease of ${task.worker} ran out after ${task.expiresAt - task.leasedAt} ms without complete_task, fail_task or a further heartbeat_task`,
  });
}
