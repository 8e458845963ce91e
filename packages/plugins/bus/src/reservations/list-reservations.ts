import type { Bus } from '../bus.ts';
import { toMoment } from '../fields.ts';

/** The reservations in force, those that end first before others; all of them, unless it is said how many. */
export async function listReservations({ db, name, clock }: Bus, limit?: number) {
  const inForce = db
    .selectFrom('bus_reservations')
    .where('bus', '=', name)
    .where('expires_at', '>', clock.now);
  const { total } = await inForce.select((eb) => eb.fn.countAll().as('total')).executeTakeFirstOrThrow();
  const rows = await inForce
    .selectAll()
    .orderBy('expires_at')
    .orderBy('glob')
    .$if(limit !== undefined, (query) => query.limit(limit ?? 0))
    .execute();
  const items = rows.map((row) => ({
    worker: row.worker,
    glob: row.glob,
    exclusive: row.exclusive === 1,
    expiresAt: toMoment(row.expires_at),
  }));
  return { total: Number(total), items };
}
