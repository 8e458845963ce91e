import type { Bus } from './bus.ts';
import { toMoment } from './fields.ts';
import { countUnread } from './messages/count-unread.ts';

/** The workers seen last, each with what it holds now. */
export async function listWorkers(bus: Bus, limit: number) {
  const all = bus.db.selectFrom('bus_workers').where('bus', '=', bus.name);
  const { total } = await all.select((eb) => eb.fn.countAll().as('total')).executeTakeFirstOrThrow();
  const rows = await all.selectAll().orderBy('last_seen_at', 'desc').orderBy('name').limit(limit).execute();
  const items = [];
  for (const row of rows) {
    items.push({
      name: row.name,
      capabilities: JSON.parse(row.capabilities) as string[],
      lastSeenAt: toMoment(row.last_seen_at),
      unread: await countUnread(bus, row.name),
      leases: await findLeases(bus, row.name, limit),
    });
  }
  return { total: Number(total), items };
}

async function findLeases({ db, name, clock }: Bus, worker: string, limit: number) {
  const rows = await db
    .selectFrom('bus_tasks')
    .select(['id', 'lease_expires_at'])
    .where('bus', '=', name)
    .where('status', '=', 'leased')
    .where('lease_worker', '=', worker)
    .where('lease_expires_at', '>', clock.now)
    .orderBy('lease_expires_at')
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    taskId: row.id,
    leaseExpiresAt: toMoment(row.lease_expires_at ?? 0),
  }));
}
