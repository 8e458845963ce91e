import { type Dialect, isToolError, type Migration, ToolError } from '@nexus/plugin-sdk';
import { type Expression, type Kysely, sql } from 'kysely';
import { WITHOUT_LIMITS } from './connection-limits.ts';

/** Any constant: it only has to be the same in every Nexus that shares a Postgres. */
const MIGRATION_LOCK = 0x6e65_7875;

export interface MigrationTables {
  nexus_migrations: { plugin: string; name: string; applied_at: number };
}

export interface MigrationRun {
  readonly plugin: string;
  readonly migrations: readonly Migration[];
  readonly dialect: Dialect;
  readonly now: Expression<number>;
}

/**
 * Brings one plugin's tables up to date. Steps of a newer version are no fault: they only add. kysely's own migrator neither locks out other processes on SQLite
 * nor undoes a failed step there; here each step is a transaction that has the write lock from its start.
 * @throws {ToolError} NEXUS_STORE_UNAVAILABLE when a step fails
 */
export async function migrate(connection: Kysely<unknown>, run: MigrationRun): Promise<void> {
  const db = connection as Kysely<MigrationTables>; // made below
  const { plugin, migrations, dialect } = run;
  // An up-to-date database is only read, so that it opens while another process is writing.
  if (!(await hasTable(db, dialect))) await locked(db, dialect, makeTable);
  const applied = await appliedNames(db, plugin);
  for (const migration of migrations) {
    if (applied.has(migration.name)) continue;
    await locked(db, dialect, async (trx) => {
      // Another process may have run it while this one waited for the lock.
      if ((await appliedNames(trx, plugin)).has(migration.name)) return;
      await migration.up(trx, dialect);
      await trx
        .insertInto('nexus_migrations')
        .values({ plugin, name: migration.name, applied_at: run.now })
        .execute();
    }).catch((error: unknown) => {
      throw isToolError(error) ? error : failed(plugin, migration.name, error);
    });
  }
}

/** Whether any of a plugin's tables were ever made. Reads only. */
export async function isBegun(
  connection: Kysely<unknown>,
  { plugin, dialect }: Pick<MigrationRun, 'plugin' | 'dialect'>,
): Promise<boolean> {
  const db = connection as Kysely<MigrationTables>; // looked for first
  return (await hasTable(db, dialect)) && (await appliedNames(db, plugin)).size > 0;
}

const TABLES_NAMED = {
  sqlite: sql<object>`select 1 from sqlite_master where name = 'nexus_migrations'`,
  postgres: sql<object>`select 1 from pg_tables where tablename = 'nexus_migrations' and schemaname = current_schema()`,
} satisfies Record<Dialect, unknown>;

async function hasTable(db: Kysely<MigrationTables>, dialect: Dialect): Promise<boolean> {
  const { rows } = await TABLES_NAMED[dialect].execute(db);
  return rows.length > 0;
}

function makeTable(db: Kysely<MigrationTables>): Promise<void> {
  return db.schema
    .createTable('nexus_migrations')
    .ifNotExists()
    .addColumn('plugin', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('applied_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('nexus_migrations_key', ['plugin', 'name'])
    .execute();
}

/** A transaction that no other process's migration runs beside; on SQLite every transaction is one. */
async function locked(
  db: Kysely<MigrationTables>,
  dialect: Dialect,
  work: (trx: Kysely<MigrationTables>) => Promise<void>,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    if (dialect === 'postgres') {
      await sql.raw(WITHOUT_LIMITS).execute(trx);
      await sql`select pg_advisory_xact_lock(${MIGRATION_LOCK})`.execute(trx);
    }
    await work(trx);
  });
}

async function appliedNames(db: Kysely<MigrationTables>, plugin: string): Promise<Set<string>> {
  const rows = await db.selectFrom('nexus_migrations').select('name').where('plugin', '=', plugin).execute();
  return new Set(rows.map(({ name }) => name));
}

function failed(plugin: string, name: string, cause: unknown): ToolError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  const text = `Migration ${name} of plugin ${plugin} failed and was undone: ${reason}`;
  return new ToolError('NEXUS_STORE_UNAVAILABLE', text, { cause });
}
