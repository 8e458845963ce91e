import { AsyncResource } from 'node:async_hooks';
import { type Log, type Migration, type Store, ToolError } from '@nexus/plugin-sdk';
import type { Kysely } from 'kysely';
import type { Ahead } from './ahead.ts';
import { databaseClock } from './clock.ts';
import { embeddedSignals } from './embedded-signals.ts';
import type { KeptFile } from './kept-file.ts';
import type { Opened } from './opened.ts';
import type { Signals } from './signals.ts';
import { createWaiters, type Waiters } from './waiters.ts';

export interface StoreLocation {
  /** Whose tables these are; on a shared database no other project sees them. */
  readonly projectId: string;
  /** What the project was called before it had a remote. */
  readonly formerId?: string | undefined;
  /** `NEXUS_DATA_DIR`; the embedded database is `nexus.sqlite` in it. */
  readonly dataDir: string;
  /** `NEXUS_DATABASE_URL`, `postgres://…`: the tables live there instead, shared between machines. */
  readonly databaseUrl?: string | undefined;
  /** How long a lock of another process on the embedded database is waited for; else as long as servers do. */
  readonly lockWaitMs?: number | undefined;
  /** Told at the first start on a database with rows that are no project's yet. */
  readonly log?: Log | undefined;
  /** Told once where the embedded database was taken away while it was open here, with the reason and the fix. */
  readonly onLost?: ((reason: string) => void) | undefined;
  /** Epoch milliseconds that tests put in the place of the database's clock; asked at each query. */
  readonly testClock?: (() => number) | undefined;
}

/** A store and its end. */
export interface OpenStore extends Store {
  /** For whose work a store that is away is waited for. The engine's own door does so by itself. */
  readonly within: Waiters['within'];
  /**
   * Does all that a write needs, and undoes it.
   * @throws {ToolError} NEXUS_STORE_UNAVAILABLE where nothing can be written now, with the reason and the fix
   */
  tryToWrite(): Promise<void>;
  /** Why nothing is written any more: the embedded database was taken away while it was open here. */
  lost(): string | undefined;
  /** Gives the disk back what rows that went have left; a Postgres does so by itself. */
  shrink(): Promise<void>;
  /** Ends the connection; what has answered is on disk already. May be called again. */
  close(): Promise<void>;
}

/** Touches neither disk nor network, and loads no database library, before the first `open`. */
export function createStore(location: StoreLocation): OpenStore {
  const { projectId, dataDir, databaseUrl, testClock } = location;
  const dialect = databaseUrl === undefined ? 'sqlite' : 'postgres';
  const upToDate = new Map<string, Promise<void>>();
  /** Those of them that are so by now: who only reads waits for none that is on the way. */
  const isUpToDate = new Set<string>();
  const blanks = new Map<string, Promise<Kysely<unknown>>>();
  const now = databaseClock(dialect, testClock);
  const waiters = createWaiters();
  let connection: Promise<Connection> | undefined;
  let kept: KeptFile | undefined;
  let closing: Promise<void> | undefined;

  async function connect(): Promise<Connection> {
    const { guardedDatabase } = await import('./own-transaction.ts');
    if (databaseUrl !== undefined) {
      const { openPostgres } = await import('./open-postgres.ts');
      const { dialect, ...beside } = await openPostgres(databaseUrl, location);
      return { db: guardedDatabase(dialect, waiters), ...beside };
    }
    const { openSqlite } = await import('./open-sqlite.ts');
    const { dialect, ...beside } = await openSqlite(dataDir, location);
    kept = beside.kept;
    const db = guardedDatabase<unknown>(dialect, waiters);
    // Whoever asks has his turn on the one connection once the transaction before is over.
    // Asked also in the middle of one, to be heard after it: no part of that.
    const afterAll = AsyncResource.bind(() => db.connection().execute(async () => {}));
    const signals = embeddedSignals(dataDir, afterAll);
    return { db, signals, ...beside };
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
    isUpToDate.add(plugin);
  }

  async function disconnect(): Promise<void> {
    for (const blank of blanks.values()) await (await blank).destroy();
    const made = await connection?.catch(() => undefined);
    await made?.signals.close();
    await made?.closeAhead();
    await made?.db.destroy();
  }

  function assertOpen(): void {
    if (closing) throw new ToolError('NEXUS_SHUTTING_DOWN', 'The store is closed: the server is stopping.');
  }

  async function open<Tables>(plugin: string, migrations: readonly Migration[]) {
    const up = async () => {
      const { db } = await connected();
      await bringUpToDate(db, plugin, migrations);
      return db as Kysely<Tables>; // the plugin's own word for what its migrations made
    };
    return waiters.ask(up, true);
  }

  async function openToRead<Tables>(plugin: string, migrations: readonly Migration[]) {
    const isThere = async () => {
      const { db } = await connected();
      const { isBegun } = await import('./migrate.ts');
      return isBegun(db, { plugin, dialect });
    };
    return isUpToDate.has(plugin) || (await waiters.ask(isThere, true))
      ? open<Tables>(plugin, migrations)
      : undefined;
  }

  async function blank<Tables>(plugin: string, migrations: readonly Migration[]) {
    if (dialect === 'postgres') return open<Tables>(plugin, migrations);
    assertOpen();
    const { blankTables } = await import('./blank-tables.ts');
    const made = blanks.get(plugin) ?? blankTables(plugin, migrations, now);
    blanks.set(plugin, made);
    return (await made) as Kysely<Tables>; // as for `open`
  }

  /** Of what is beside the tables, each may be asked twice. */
  const beside = <Result>(ask: (signals: Signals) => Promise<Result>) =>
    waiters.ask(async () => ask((await connected()).signals), true);

  return {
    within: waiters.within,
    dialect,
    projectId,
    now,
    readNow: async (db) => (await import('./read-now.ts')).readNow(db, now),
    open,
    openToRead,
    blank,
    async tryToWrite() {
      const { tryToWrite } = await import('./try-to-write.ts');
      await tryToWrite(await open('doctor', []));
    },
    ahead: async (statement) => (await connected()).ahead(statement),
    withoutDisk: async (trx) => (await connected()).withoutDisk?.(trx),
    // In a transaction it is made again with that.
    notify: async (channel, payload, db) =>
      db
        ? (await connected()).signals.notify(channel, payload, db)
        : beside((signals) => signals.notify(channel, payload)),
    listen: (channel, listener) => beside((signals) => signals.listen(channel, listener)),
    hold: (name) => beside((signals) => signals.hold(name)),
    isHeld: (name) => beside((signals) => signals.isHeld(name)),
    lost: () => kept?.lost,
    async shrink() {
      assertOpen();
      kept?.assertThere();
      if (dialect === 'sqlite') await (await import('./retention/shrink.ts')).shrinkSqlite(dataDir);
    },
    close() {
      closing ??= disconnect();
      return closing;
    },
  };
}

interface Connection extends Ahead {
  readonly db: Kysely<unknown>;
  readonly signals: Signals;
  readonly withoutDisk?: Opened['withoutDisk'];
}
