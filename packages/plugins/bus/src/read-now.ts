import type { Bus } from './bus.ts';

/** The moment by the database's clock, read within the transaction that `bus.db` is. */
export function readNow({ db, clock }: Bus): Promise<number> {
  return clock.readNow(db);
}
