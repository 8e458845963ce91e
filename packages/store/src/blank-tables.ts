import type { Migration } from '@nexus/plugin-sdk';
import { type Expression, Kysely, SqliteDialect, sql } from 'kysely';
import Database from 'libsql';
import { migrate } from './migrate.ts';
import { asKysely } from './sqlite-dialect.ts';

/** A plugin's tables as they would be before anything is in them: in memory, and for reading alone. */
export async function blankTables(
  plugin: string,
  migrations: readonly Migration[],
  now: Expression<number>,
): Promise<Kysely<unknown>> {
  const db = new Kysely<unknown>({
    dialect: new SqliteDialect({ database: asKysely(new Database(':memory:')) }),
  });
  await migrate(db, { plugin, migrations, dialect: 'sqlite', now });
  await sql`pragma query_only = on`.execute(db);
  return db;
}
