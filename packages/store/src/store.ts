import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Migration, Store } from '@nexus/plugin-sdk';
import { Kysely, Migrator, SqliteDialect } from 'kysely';

export interface StoreLocation {
  /** `NEXUS_DATA_DIR`; the database is `nexus.sqlite` in it. */
  readonly dataDir: string;
}

/** A store and its end: `close` waits for nothing, since every write has already reached the disk. */
export interface OpenStore extends Store {
  close(): Promise<void>;
}

export function createStore({ dataDir }: StoreLocation): OpenStore {
  let opened: Promise<Kysely<unknown>> | undefined;
  const connect = async () => {
    const { default: Database } = await import('libsql');
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    const database = new Database(join(dataDir, 'nexus.sqlite'));
    database.exec('PRAGMA journal_mode = WAL');
    return new Kysely<unknown>({ dialect: new SqliteDialect({ database: database as never }) });
  };
  return {
    dialect: 'sqlite',
    async open<Tables>(plugin: string, migrations: readonly Migration[]) {
      opened ??= connect();
      const db = await opened;
      const provider = {
        getMigrations: async () =>
          Object.fromEntries(
            migrations.map(({ name, up }) => [name, { up: (tx: Kysely<unknown>) => up(tx, 'sqlite') }]),
          ),
      };
      const { error } = await new Migrator({
        db,
        provider,
        migrationTableName: `${plugin}_migrations`,
        migrationLockTableName: `${plugin}_migrations_lock`,
      }).migrateToLatest();
      if (error) throw error;
      return db as Kysely<Tables>;
    },
    async close() {
      await (await opened)?.destroy();
    },
  };
}
