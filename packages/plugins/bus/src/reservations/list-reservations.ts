import type { Bus } from '../bus.ts';
import { toMoment } from '../fields.ts';
import type { Page } from '../page.ts';

/** The reservations in force, those that end first before others; all of them, unless it is said which. */
export async function listReservations({ db, name, clock }: Bus, page?: Page) {
  const inForce = db
    .selectFrom('bus_reservations')
    .where('bus', '=', name)
    .where('expires_at', '>', clock.now);
  const { total } = await inForce.select((eb) => eb.fn.countAll().as('total')).executeTakeFirstOrThrow();
  const rows = await inForce
    .selectAll()
    .orderBy('expires_at')
    .orderBy('glob')
    .orderBy('worker')
    .$if(page !== undefined, (query) => query.limit(page?.limit ?? 0).offset(page?.offset ?? 0))
    .execute();
  const items = rows.map((row) => ({
    worker: row.worker,
    glob: row.glob,
    exclusive: row.exclusive === 1,
    expiresAt: toMoment(row.expires_at),
  }));
  return { total: Number(total), items };
}
