import { type Log, type Migration, type Store, ToolError } from '@nexus/plugin-sdk';
import type { Kysely } from 'kysely';
import { databaseClock } from './clock.ts';
import { embeddedSignals } from './embedded-signals.ts';
import type { Signals } from './signals.ts';

export interface StoreLocation {
  /** Whose tables these are; on a shared database no other project sees them. */
  readonly projectId: string;
  /** What the project was called before it had a remote. */
  readonly formerId?: string | undefined;
  /** `NEXUS_DATA_DIR`; the embedded database is `nexus.sqlite` in it. */
  readonly dataDir: string;
  /** `NEXUS_DATABASE_URL`, `postgres://…`: the tables live there instead, shared between machines. */
  readonly databaseUrl?: string | undefined;
  /** Told at the first start on a database with rows that are no project's yet. */
  readonly log?: Log | undefined;
  /** Epoch milliseconds that tests put in the place of the database's clock; asked at each query. */
  readonly testClock?: (() => number) | undefined;
}

/** A store and its end. */
export interface OpenStore extends Store {
  /** Ends the connection; what has answered is on disk already. May be called again. */
  close(): Promise<void>;
}

/** Touches neither disk nor network, and loads no database library, before the first `open`. */
export function createStore(location: StoreLocation): OpenStore {
  const { projectId, dataDir, databaseUrl, testClock } = location;
  const dialect = databaseUrl === undefined ? 'sqlite' : 'postgres';
  const upToDate = new Map<string, Promise<void>>();
  const now = databaseClock(dialect, testClock);
  let connection: Promise<Connection> | undefined;
  let closing: Promise<void> | undefined;

  async function connect(): Promise<Connection> {
    const { Kysely } = await import('kysely');
    if (databaseUrl !== undefined) {
      const { openPostgres } = await import('./open-postgres.ts');
      const { dialect, signals } = await openPostgres(databaseUrl, location);
      return { db: new Kysely({ dialect }), signals };
    }
    const { openSqlite } = await import('./open-sqlite.ts');
    return { db: new Kysely({ dialect: await openSqlite(dataDir) }), signals: embeddedSignals(dataDir) };
  }

  async function connected(): Promise<Connection> {
    assertOpen();
    connection ??= connect();
    const made = await connection.catch((error: unknown) => {
      connection = undefined; // the next call tries again: the fault may be mended by then
      throw error;
    });
    assertOpen();
    return made;
  }

  async function bringUpToDate(db: Kysely<unknown>, plugin: string, migrations: readonly Migration[]) {
    const { migrate } = await import('./migrate.ts');
    const running = upToDate.get(plugin) ?? migrate(db, { plugin, migrations, dialect, now });
    upToDate.set(plugin, running);
    await running.catch((error: unknown) => {
      upToDate.delete(plugin);
      throw error;
    });
  }

  async function disconnect(): Promise<void> {
    const made = await connection?.catch(() => undefined);
    await made?.signals.close();
    await made?.db.destroy();
  }

  function assertOpen(): void {
    if (closing) throw new ToolError('NEXUS_SHUTTING_DOWN', 'The store is closed: the server is stopping.');
  }

  return {
    dialect,
    projectId,
    now,
    async readNow(db) {
      const { sql } = await import('kysely');
      const { rows } = await sql<{ now: number }>`select ${now} as now`.execute(db);
      return (rows as [{ now: number }])[0].now;
    },
    async open<Tables>(plugin: string, migrations: readonly Migration[]) {
      const { db } = await connected();
      await bringUpToDate(db, plugin, migrations);
      return db as Kysely<Tables>; // the plugin's own word for what its migrations made
    },
    notify: async (...message) => (await connected()).signals.notify(...message),
    listen: async (channel, listener) => (await connected()).signals.listen(channel, listener),
    hold: async (name) => (await connected()).signals.hold(name),
    isHeld: async (name) => (await connected()).signals.isHeld(name),
    close() {
      closing ??= disconnect();
      return closing;
    },
  };
}

interface Connection {
  readonly db: Kysely<unknown>;
  readonly signals: Signals;
}
