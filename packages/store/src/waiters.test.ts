import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import Database from 'libsql';
import type pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type CounterTables, counterMigrations } from '../test/counter.ts';
import { findPostgres, type PostgresServer, startPostgres } from '../test/postgres-server.ts';
import { createStore, type OpenStore } from './index.ts';
import { createWaiters } from './waiters.ts';

const binaries = findPostgres();
const AWAY = { code: 'NEXUS_STORE_UNAVAILABLE' };

/** Somebody who waits, and how often it was held and let go on. */
function newWaiter() {
  const ended = new AbortController();
  const counts = { held: 0, goneOn: 0 };
  return {
    counts,
    end: ended.signal,
    hold: () => {
      counts.held += 1;
      return () => {
        counts.goneOn += 1;
      };
    },
    giveUp: () => ended.abort(),
  };
}

describe.skipIf(!binaries)('a Postgres that is away, for whose work waits', () => {
  let server: PostgresServer;
  let databaseUrl: string;
  let admin: pg.Client | undefined;
  const opened: OpenStore[] = [];
  const newStore = () => {
    const store = createStore({ projectId: 'test', dataDir: '', databaseUrl });
    opened.push(store);
    return store;
  };
  const openCounter = (store: OpenStore) => store.open<CounterTables>('counter', counterMigrations);
  const numbers = async (store: OpenStore) =>
    (await (await openCounter(store)).selectFrom('counter_events').select('number').execute()).map(
      ({ number }) => number,
    );
  /** Holds the table, so that whoever writes there is in the middle of it; then takes the server away. */
  async function breakOff(how: 'crash' | 'shutDown', waiting = 1): Promise<void> {
    const { rows } = await (admin as pg.Client).query<{ count: number }>(
      `select count(*)::int as count from pg_locks where not granted`,
    );
    if ((rows[0]?.count ?? 0) < waiting) throw new Error('nobody waits yet');
    admin = undefined;
    await server[how]();
  }
  const lockTable = async (store: OpenStore) => {
    await openCounter(store);
    admin = await server.connect();
    admin.on('error', () => {});
    await admin.query('begin');
    const { rows } = await admin.query<{ name: string }>(
      `select schemaname || '.' || tablename as name from pg_tables where tablename = 'counter_events' and schemaname = (select application_name from pg_stat_activity where application_name like 'nexus\\_%' limit 1)`,
    );
    await admin.query(`lock table ${rows[0]?.name} in access exclusive mode`);
    // So it is nobody's whom a shut-down may end first, and so let the others through: it outlives the server.
    await admin.query(`prepare transaction 'holder'`);
  };
  const restartUnlocked = async () => {
    await server.restart();
    const client = await server.connect();
    await client.query(`rollback prepared 'holder'`);
    await client.end();
  };

  beforeAll(async () => {
    server = await startPostgres(binaries ?? '');
  });
  afterAll(() => server?.stop());
  beforeEach(async () => {
    databaseUrl = await server.createSchema();
  });
  afterEach(() => Promise.all(opened.splice(0).map((store) => store.close())));

  it.each(['shutDown', 'crash'] as const)('costs it nothing that had not begun (%s)', async (how) => {
    const store = newStore();
    const db = await openCounter(store);
    const heard: unknown[] = [];
    await newStore().listen('work', (payload) => heard.push(payload));
    await server[how]();
    const waiter = newWaiter();
    const asked = store.within(waiter, () =>
      Promise.all([
        db.insertInto('counter_events').values({ process: 0, number: 1 }).execute(),
        db
          .transaction()
          .execute((trx) => trx.insertInto('counter_events').values({ process: 0, number: 2 }).execute()),
        db.selectFrom('counter_totals').selectAll().execute(),
        sql`insert into counter_events values (0, 3)`.execute(db),
        store.open('more', [
          {
            name: '0001-more',
            up: (more) => more.schema.createTable('more_rows').addColumn('id', 'text').execute(),
          },
        ]),
        store.hold('me').then((hold) => hold !== undefined),
      ]),
    );
    await vi.waitFor(() => expect(waiter.counts.held).toBeGreaterThan(4));
    await expect(db.selectFrom('counter_totals').selectAll().execute()).rejects.toMatchObject(AWAY);
    await server.restart();
    const [, , totals, , , isHeld] = await asked;
    expect([totals, isHeld]).toEqual([[{ total: 0 }], true]);
    expect((await numbers(store)).sort()).toEqual([1, 2, 3]);
    expect(waiter.counts.goneOn).toBe(waiter.counts.held);
  });

  it.each(['shutDown', 'crash'] as const)(
    'has a transaction made again as a whole that broke before its commit (%s)',
    async (how) => {
      const store = newStore();
      await lockTable(store);
      const db = await openCounter(store);
      let times = 0;
      const made = store.within(newWaiter(), () =>
        db.transaction().execute(async (trx) => {
          times += 1;
          await trx
            .updateTable('counter_totals')
            .set(({ eb }) => ({ total: eb('total', '+', 1) }))
            .execute();
          await trx.insertInto('counter_events').values({ process: 0, number: 1 }).execute();
        }),
      );
      await vi.waitFor(() => breakOff(how));
      await restartUnlocked();
      await made;
      expect(times).toBe(2);
      expect(await db.selectFrom('counter_totals').selectAll().execute()).toEqual([{ total: 1 }]);
      expect(await numbers(store)).toEqual([1]);
    },
  );

  it('has a read made again that broke off', async () => {
    const store = newStore();
    await lockTable(store);
    const db = await openCounter(store);
    const read = store.within(newWaiter(), () => db.selectFrom('counter_events').selectAll().execute());
    await vi.waitFor(() => breakOff('crash'));
    await restartUnlocked();
    expect(await read).toEqual([]);
  });

  it.each(['shutDown', 'crash'] as const)(
    'never has a write made again whose answer is lost, and says that nobody knows (%s)',
    async (how) => {
      const store = newStore();
      await lockTable(store);
      const db = await openCounter(store);
      const waiter = newWaiter();
      const written = store.within(waiter, () =>
        db.insertInto('counter_events').values({ process: 0, number: 1 }).execute(),
      );
      const said = expect(written).rejects.toMatchObject({
        ...AWAY,
        message: expect.stringContaining('nobody knows whether this was written'),
        detail: undefined,
      });
      await vi.waitFor(() => breakOff(how));
      await said;
      await restartUnlocked();
      expect(await numbers(store)).toEqual([]);
      expect(waiter.counts.held).toBe(0);
    },
  );

  it('is not asked any more by who gave up, or whose work is over', async () => {
    const store = newStore();
    const db = await openCounter(store);
    const write = (number: number) =>
      db.insertInto('counter_events').values({ process: 0, number }).execute();
    await server.shutDown();
    const waiter = newWaiter();
    const given = store.within(waiter, () => write(1));
    await vi.waitFor(() => expect(waiter.counts.held).toBe(1));
    waiter.giveUp();
    await expect(given).rejects.toMatchObject({ ...AWAY, detail: { wasWritten: false } });
    expect(waiter.counts.goneOn).toBe(1);
    const left: Promise<unknown>[] = [];
    const over = newWaiter();
    await store.within(over, async () => {
      left.push(write(2));
    });
    await expect(left[0]).rejects.toMatchObject(AWAY);
    await server.restart();
    expect(await numbers(store)).toEqual([]);
  });
});

it('work within work waits on the time of neither', async () => {
  const waiters = createWaiters();
  const [outer, inner] = [newWaiter(), newWaiter()];
  const away = Object.assign(new Error('away'), {
    name: 'ToolError',
    code: 'NEXUS_STORE_UNAVAILABLE',
    detail: { wasWritten: false },
  });
  const ask = vi.fn().mockRejectedValueOnce(away).mockResolvedValue('there');
  expect(await waiters.within(outer, () => waiters.within(inner, () => waiters.ask(ask, false)))).toBe(
    'there',
  );
  expect([outer.counts, inner.counts]).toEqual([
    { held: 1, goneOn: 1 },
    { held: 1, goneOn: 1 },
  ]);
});

it('a file of SQLite that another process keeps locked is waited for too', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'nexus-waiters-'));
  const store = createStore({ projectId: 'test', dataDir });
  const other = new Database(join(dataDir, 'nexus.sqlite'));
  try {
    const db = await store.open<CounterTables>('counter', counterMigrations);
    const waiter = newWaiter();
    const clock = vi.spyOn(performance, 'now');
    other.exec('begin immediate');
    // As if the patience of the file's own were over at each look.
    let now = 0;
    clock.mockImplementation(() => (now += 20_000));
    const written = store.within(waiter, () =>
      db.insertInto('counter_events').values({ process: 0, number: 1 }).execute(),
    );
    await vi.waitFor(() => expect(waiter.counts.held).toBe(1));
    clock.mockRestore();
    other.exec('rollback');
    await written;
    expect(await db.selectFrom('counter_events').select('number').execute()).toEqual([{ number: 1 }]);
  } finally {
    other.close();
    await store.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
});
