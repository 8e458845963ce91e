import type { Transaction } from 'kysely';
import type { BusTables } from './tables.ts';

/** Two transactions that each see nothing in their way must not both write: this row lets one in at a time. */
export async function serialize(tx: Transaction<BusTables>): Promise<void> {
  await tx
    .updateTable('bus_guards')
    .set((eb) => ({ version: eb('version', '+', 1) }))
    .where('name', '=', 'reservations')
    .execute();
}
