import type { Bus } from './bus.ts';
import { toMoment } from './fields.ts';
import { type Page, roomIn } from './page.ts';

/** Of one worker, which has a quarter of an answer for them. */
const SHOWN_LEASES = 20;
const LEASES_SHARE = 0.25;
/** As JSON. */
const LEASE_CHARS = 85;

/** The workers with unread messages first, then those with leases, of each the one seen last before others. */
export async function listWorkers(bus: Bus, { limit, offset }: Page) {
  const all = bus.db.selectFrom('bus_workers as worker').where('worker.bus', '=', bus.name);
  const { total } = await all.select((eb) => eb.fn.countAll().as('total')).executeTakeFirstOrThrow();
  const rows = await all
    .leftJoin(countsOf(bus).as('post'), 'post.recipient', 'worker.name')
    .leftJoin(holdersOf(bus).as('held'), 'held.lease_worker', 'worker.name')
    .select(['worker.name', 'worker.capabilities', 'worker.last_seen_at', 'post.unread', 'held.leases'])
    .orderBy((eb) => eb.case().when('post.unread', 'is not', null).then(0).else(1).end())
    .orderBy((eb) => eb.case().when('held.leases', 'is not', null).then(0).else(1).end())
    .orderBy('worker.last_seen_at', 'desc')
    .orderBy('worker.name')
    .limit(limit)
    .offset(offset)
    .execute();
  const most = Math.floor(roomIn(bus, { share: LEASES_SHARE }) / LEASE_CHARS);
  const items = [];
  for (const { name, capabilities, last_seen_at, unread, leases: held } of rows) {
    const leases = held === null ? [] : await findLeases(bus, name, Math.min(limit, most, SHOWN_LEASES));
    items.push({
      name,
      capabilities: JSON.parse(capabilities) as string[],
      lastSeenAt: toMoment(last_seen_at),
      unread: Number(unread ?? 0),
      leases,
      ...(Number(held ?? 0) > leases.length ? { leasesTotal: Number(held) } : {}),
    });
  }
  return { total: Number(total), items };
}

/** How many unread messages there are for whom. */
function countsOf({ db, name }: Bus) {
  return db
    .selectFrom('bus_deliveries as delivery')
    .innerJoin('bus_messages as message', 'message.id', 'delivery.message_id')
    .select((eb) => ['delivery.recipient', eb.fn.countAll().as('unread')])
    .where('message.bus', '=', name)
    .where('delivery.state', 'in', ['queued', 'delivered'])
    .groupBy('delivery.recipient');
}

/** How many leases are held by whom. */
function holdersOf(bus: Bus) {
  return leased(bus)
    .select((eb) => ['lease_worker', eb.fn.countAll().as('leases')])
    .groupBy('lease_worker');
}

function leased({ db, name, clock }: Bus) {
  return db
    .selectFrom('bus_tasks')
    .where('bus', '=', name)
    .where('status', '=', 'leased')
    .where('lease_expires_at', '>', clock.now);
}

async function findLeases(bus: Bus, worker: string, limit: number) {
  const rows = await leased(bus)
    .select(['id', 'lease_expires_at'])
    .where('lease_worker', '=', worker)
    .orderBy('lease_expires_at')
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    taskId: row.id,
    leaseExpiresAt: toMoment(row.lease_expires_at ?? 0),
  }));
}
