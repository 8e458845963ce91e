import { type Migration, type Store, ToolError } from '@nexus/plugin-sdk';
import type { Kysely } from 'kysely';

export interface StoreLocation {
  /** `NEXUS_DATA_DIR`; the embedded database is `nexus.sqlite` in it. */
  readonly dataDir: string;
  /** `NEXUS_DATABASE_URL`, `postgres://…`: the tables live there instead, shared between machines. */
  readonly databaseUrl?: string | undefined;
}

/** A store and its end. */
export interface OpenStore extends Store {
  /** Ends the connection; what has answered is on disk already. May be called again. */
  close(): Promise<void>;
}

/** Touches neither disk nor network, and loads no database library, before the first `open`. */
export function createStore({ dataDir, databaseUrl }: StoreLocation): OpenStore {
  const dialect = databaseUrl === undefined ? 'sqlite' : 'postgres';
  const upToDate = new Map<string, Promise<void>>();
  let connection: Promise<Kysely<unknown>> | undefined;
  let closing: Promise<void> | undefined;

  async function connect(): Promise<Kysely<unknown>> {
    const { Kysely } = await import('kysely');
    if (databaseUrl !== undefined) {
      const { openPostgres } = await import('./open-postgres.ts');
      return new Kysely({ dialect: await openPostgres(databaseUrl) });
    }
    const { openSqlite } = await import('./open-sqlite.ts');
    return new Kysely({ dialect: await openSqlite(dataDir) });
  }

  async function connected(): Promise<Kysely<unknown>> {
    connection ??= connect();
    try {
      return await connection;
    } catch (error) {
      connection = undefined; // the next call tries again: the fault may be mended by then
      throw error;
    }
  }

  async function bringUpToDate(db: Kysely<unknown>, plugin: string, migrations: readonly Migration[]) {
    const { migrate } = await import('./migrate.ts');
    const running = upToDate.get(plugin) ?? migrate(db, { plugin, migrations, dialect });
    upToDate.set(plugin, running);
    await running.catch((error: unknown) => {
      upToDate.delete(plugin);
      throw error;
    });
  }

  async function disconnect(): Promise<void> {
    const db = await connection?.catch(() => undefined);
    await db?.destroy();
  }

  function assertOpen(): void {
    if (closing) throw new ToolError('NEXUS_SHUTTING_DOWN', 'The store is closed: the server is stopping.');
  }

  return {
    dialect,
    async open<Tables>(plugin: string, migrations: readonly Migration[]) {
      assertOpen();
      const db = await connected();
      assertOpen();
      await bringUpToDate(db, plugin, migrations);
      return db as Kysely<Tables>; // the plugin's own word for what its migrations made
    },
    close() {
      closing ??= disconnect();
      return closing;
    },
  };
}
