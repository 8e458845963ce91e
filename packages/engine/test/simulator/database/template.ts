import { Kysely, SqliteAdapter, SqliteDriver, SqliteIntrospector, SqliteQueryCompiler, sql } from 'kysely';
import Database from 'libsql';
import { loadService } from '../../../src/engine.ts';
import { migrations } from '../../../src/record/migrations.ts';

/** A database in memory with the engine's tables, as its own migrations make them. Each world takes its rows off. */
export async function openTables(): Promise<Database.Database> {
  // No world waits for a module to come from disk: its time would run on meanwhile.
  await loadService();
  const database = new Database(':memory:');
  const db = new Kysely<unknown>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new SqliteDriver({ database: database as never }),
      createIntrospector: (of) => new SqliteIntrospector(of),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  });
  for (const { up } of migrations) await up(db, 'sqlite');
  await sql`select 1`.execute(db);
  return database;
}
