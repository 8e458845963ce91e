import { sql } from 'kysely';
import type { Bus } from '../bus.ts';
import { readNow } from '../read-now.ts';

const SOONEST_MS = 100;
const IDLE_MS = 5_000;

/** When a poll is worth trying again: the next pause or lease to end, or a few seconds if none will. */
export async function nextMomentMs(bus: Bus): Promise<number> {
  return Math.max(SOONEST_MS, Math.min(IDLE_MS, await untilNextMs(bus)));
}

/** How long it is until the next pause or lease ends. */
export async function untilNextMs(bus: Bus): Promise<number> {
  const { db, name } = bus;
  const now = await readNow(bus);
  const paused = await db
    .selectFrom('bus_tasks')
    .select((eb) => eb.fn.min('available_at').as('at'))
    .where('bus', '=', name)
    .where(sql<boolean>`status = 'queued'`)
    .where('available_at', '>', now)
    .executeTakeFirst();
  const leased = await db
    .selectFrom('bus_tasks')
    .select((eb) => eb.fn.min('lease_expires_at').as('at'))
    .where('bus', '=', name)
    .where(sql<boolean>`status = 'leased'`)
    .executeTakeFirst();
  const moments = [paused?.at, leased?.at].filter((at) => typeof at === 'number');
  return Math.ceil(Math.min(...moments.map((at) => at - now)));
}
