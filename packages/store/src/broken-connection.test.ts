import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { bundleProgram } from '../../../vitest.programs.ts';
import { type CounterTables, counterMigrations } from '../test/counter.ts';
import { findPostgres, type PostgresServer, startPostgres } from '../test/postgres-server.ts';
import { createStore, type OpenStore } from './index.ts';

const binaries = findPostgres();

describe.skipIf(!binaries)('a connection to Postgres that breaks', () => {
  let server: PostgresServer;
  let databaseUrl: string;
  const opened: OpenStore[] = [];
  const newStore = () => {
    const store = createStore({ projectId: 'test', dataDir: '', databaseUrl });
    opened.push(store);
    return store;
  };
  /** Ends the connections of the project's stores, as an administrator or a fail-over does. */
  async function terminate(): Promise<void> {
    const admin = new pg.Client(server.url);
    await admin.connect();
    await admin.query(
      `select pg_terminate_backend(pid, 5000) from pg_stat_activity where application_name like 'nexus\\_%'`,
    );
    await admin.end();
  }

  beforeAll(async () => {
    server = await startPostgres(binaries ?? '');
  });
  afterAll(() => server?.stop());
  beforeEach(async () => {
    databaseUrl = await server.createSchema();
  });
  afterEach(() => Promise.all(opened.splice(0).map((store) => store.close())));

  it('costs the queries and transactions in flight a retryable error, and none after them', async () => {
    const store = newStore();
    const db = await store.open<CounterTables>('counter', counterMigrations);
    const increment = (meanwhile: () => Promise<unknown>) =>
      db.transaction().execute(async (trx) => {
        await trx
          .updateTable('counter_totals')
          .set(({ eb }) => ({ total: eb('total', '+', 1) }))
          .execute();
        await meanwhile();
        await trx.insertInto('counter_events').values({ process: 0, number: 0 }).execute();
      });
    const sleeping = sql`select pg_sleep(600)`.execute(db);
    const [undone, unanswered] = await Promise.allSettled([increment(terminate), sleeping]);
    const rejectedWith = (text: string, detail: unknown) => ({
      status: 'rejected',
      reason: { code: 'NEXUS_STORE_UNAVAILABLE', message: expect.stringContaining(text), detail },
    });
    expect(undone).toMatchObject(rejectedWith('it was undone. Try again', { wasWritten: false }));
    expect(unanswered).toMatchObject(rejectedWith('nobody knows whether this was written', undefined));
    await increment(async () => {});
    expect(await db.selectFrom('counter_totals').select('total').execute()).toEqual([{ total: 1 }]);
  });

  it('or leads to a server that only reads since a fail-over, is not used again', async () => {
    const db = await newStore().open<CounterTables>('counter', counterMigrations);
    const write = () => db.insertInto('counter_events').values({ process: 0, number: 0 }).execute();
    // What a former primary answers, on the one connection that there is.
    await sql`set session characteristics as transaction read only`.execute(db);
    await expect(write()).rejects.toMatchObject({ code: 'NEXUS_STORE_UNAVAILABLE' });
    await expect(write()).resolves.toBeDefined();
  });

  it('is opened again for who listens, who is told that something may be lost', async () => {
    const [store, other] = [newStore(), newStore()];
    const heard: (string | undefined)[] = [];
    await store.listen('work', (payload) => heard.push(payload));
    await terminate();
    await vi.waitFor(() => expect(heard).toEqual([undefined]), 20_000);
    await other.notify('work', 'after');
    await vi.waitFor(() => expect(heard).toEqual([undefined, 'after']), 20_000);
  });

  it('frees the names that it held, and says so', async () => {
    const [store, other] = [newStore(), newStore()];
    const hold = await store.hold('me');
    expect(await other.hold('me')).toBeUndefined();
    await terminate();
    await vi.waitFor(() => expect(hold?.lost.aborted).toBe(true), 20_000);
    expect(await other.hold('me')).toBeDefined();
    await hold?.release(); // of what is lost: another's by now
    expect(await store.isHeld('me')).toBe(true);
  });

  it('frees the names of a process that is killed', async () => {
    const program = await bundleProgram(new URL('../test/holder.ts', import.meta.url));
    const child = spawn(process.execPath, [program, databaseUrl, 'me'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    const store = newStore();
    expect([await store.isHeld('me'), await store.hold('me')]).toEqual([true, undefined]);
    child.kill('SIGKILL');
    await vi.waitFor(async () => expect(await store.isHeld('me')).toBe(false), 20_000);
    expect(await store.hold('me')).toBeDefined();
  });

  it('because the server stopped is an error while it is away, and works when it is back', async () => {
    const store = newStore();
    const db = await store.open<CounterTables>('counter', counterMigrations);
    const heard: unknown[] = [];
    await store.listen('work', (payload) => heard.push(payload));
    const hold = await store.hold('me');
    await server.crash();
    const away = { code: 'NEXUS_STORE_UNAVAILABLE', message: expect.stringContaining('NEXUS_DATABASE_URL') };
    await vi.waitFor(() => expect(hold?.lost.aborted).toBe(true), 20_000);
    await expect(db.selectFrom('counter_totals').selectAll().execute()).rejects.toMatchObject(away);
    await expect(store.notify('work', '')).rejects.toMatchObject({ code: away.code });
    await expect(store.hold('me')).rejects.toMatchObject(away);
    await server.restart();
    expect(await db.selectFrom('counter_totals').selectAll().execute()).toEqual([{ total: 0 }]);
    await vi.waitFor(() => expect(heard).toEqual([undefined]), 20_000);
    expect(await store.hold('me')).toBeDefined();
  });
});
