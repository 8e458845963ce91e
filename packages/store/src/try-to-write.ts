import type { Kysely } from 'kysely';
import type { MigrationTables } from './migrate.ts';

/**
 * Writes a row to the table that every database of Nexus's has, and undoes it: a database that is locked, full or
 * open for reading alone says so here, and not when work is lost.
 */
export async function tryToWrite(db: Kysely<MigrationTables>): Promise<void> {
  const undone = new Error('undone');
  const row = { plugin: 'doctor', name: `trial-${process.pid}`, applied_at: 0 };
  await db
    .transaction()
    .execute(async (trx) => {
      await trx.insertInto('nexus_migrations').values(row).execute();
      throw undone;
    })
    .catch((error: unknown) => {
      if (error !== undone) throw error;
    });
}
