import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type Kysely, sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { bundleProgram } from '../../../vitest.programs.ts';
import { type CounterTables, counterMigrations } from '../test/counter.ts';
import { poolerWithoutOptions } from '../test/pooler.ts';
import { findPostgres, type PostgresServer, startPostgres } from '../test/postgres-server.ts';
import { silentProxy } from '../test/silent-proxy.ts';
import { createStore, type OpenStore } from './index.ts';

const binaries = findPostgres();
const NAMES = [
  'idle_in_transaction_session_timeout',
  'lock_timeout',
  'statement_timeout',
  'tcp_keepalives_count',
  'tcp_keepalives_idle',
  'tcp_keepalives_interval',
  'tcp_user_timeout',
];
const RETRYABLE = { code: 'NEXUS_STORE_UNAVAILABLE' };

describe.skipIf(!binaries)('a connection to Postgres', () => {
  let server: PostgresServer;
  let databaseUrl: string;
  const opened: OpenStore[] = [];
  const openCounter = async (url: string) => {
    const store = createStore({ projectId: 'test', dataDir: '', databaseUrl: url });
    opened.push(store);
    return store.open<CounterTables>('counter', counterMigrations);
  };
  /** What the address says goes before. */
  const withSettings = (settings: string) => {
    const url = new URL(databaseUrl);
    url.searchParams.set('options', `${url.searchParams.get('options')} ${settings}`);
    return url.href;
  };
  const total = async (db: Awaited<ReturnType<typeof openCounter>>) =>
    (await db.selectFrom('counter_totals').selectAll().executeTakeFirstOrThrow()).total;

  beforeAll(async () => {
    server = await startPostgres(binaries ?? '');
  });
  afterAll(() => server?.stop());
  beforeEach(async () => {
    databaseUrl = await server.createSchema();
  });
  afterEach(() => Promise.all(opened.splice(0).map((store) => store.close())));

  it('leaves no transaction open, waits for no lock, makes no statement and stays up without end', async () => {
    const db = await openCounter(databaseUrl);
    // As it was begun with: on the socket of this test nothing of TCP is in force.
    const { rows } = await sql<{ reset_val: string }>`
      select reset_val from pg_settings where name = any(string_to_array(${NAMES.join()}, ',')) order by name`.execute(
      db,
    );
    expect(rows.map(({ reset_val }) => reset_val)).toEqual([
      ...['10000', '10000', '20000'],
      ...['2', '10', '5', '20000'],
    ]);
  });

  it('has the limits in each transaction where a pooler takes its settings away', async () => {
    const db = await openCounter(databaseUrl);
    const { rows } = await sql<{ schema: string }>`select current_schema() as schema`.execute(db);
    const admin = await server.connect();
    await admin.query(`alter role nexus set search_path = ${rows[0]?.schema}`);
    const pooler = await poolerWithoutOptions(databaseUrl);
    try {
      const pooled = await openCounter(pooler.url);
      const limits = (from: typeof pooled) =>
        sql<Record<'idle' | 'lock' | 'statement', string>>`
          select current_setting('idle_in_transaction_session_timeout') as idle,
            current_setting('lock_timeout') as lock, current_setting('statement_timeout') as statement`
          .execute(from)
          .then((found) => found.rows[0]);
      expect(await limits(pooled)).toEqual({ idle: '0', lock: '0', statement: '0' });
      expect(await pooled.transaction().execute(limits)).toEqual({
        ...{ idle: '10s', lock: '10s', statement: '20s' },
      });
    } finally {
      await admin.query('alter role nexus reset search_path');
      await admin.end();
      await Promise.all(opened.splice(0).map((store) => store.close()));
      pooler.stop();
    }
  });

  it.skipIf(process.platform === 'win32')(
    'of a process that is stopped in a transaction holds up nobody, and its late write is refused',
    async () => {
      const program = await bundleProgram(new URL('../test/in-the-middle.ts', import.meta.url));
      const other = await openCounter(databaseUrl);
      const url = withSettings('-c idle_in_transaction_session_timeout=300');
      const child = spawn(process.execPath, [program, url], { stdio: ['pipe', 'pipe', 'inherit'] });
      await once(child.stdout, 'data');
      child.kill('SIGSTOP');
      await other.updateTable('counter_totals').set({ total: 7 }).execute();
      const said = once(child.stdout, 'data');
      child.stdin.write('go on\n');
      child.kill('SIGCONT');
      expect(String((await said)[0]).trim()).toBe(RETRYABLE.code);
      expect(await total(other)).toBe(7);
    },
  );

  it('that waits for a lock for too long says that it may be tried again, and is used again', async () => {
    const db = await openCounter(databaseUrl);
    const hurried = await openCounter(withSettings('-c lock_timeout=100'));
    const add = (to: typeof db) =>
      to.updateTable('counter_totals').set(({ eb }) => ({ total: eb('total', '+', 1) }));
    await db.transaction().execute(async (trx) => {
      await add(trx).execute();
      await expect(add(hurried).execute()).rejects.toMatchObject({
        ...RETRYABLE,
        message: expect.stringContaining('busy'),
      });
    });
    await add(hurried).execute();
    expect(await total(db)).toBe(2);
  });

  it('lets a migration take as long as it takes', async () => {
    const url = new URL(withSettings('-c statement_timeout=100'));
    url.searchParams.set('query_timeout', '200');
    const store = createStore({ projectId: 'test', dataDir: '', databaseUrl: url.href });
    opened.push(store);
    const slow = {
      name: '0001-slow',
      up: async (db: Kysely<unknown>) => void (await sql`select pg_sleep(0.4)`.execute(db)),
    };
    const db = await store.open('slow', [slow]);
    await expect(sql`select pg_sleep(0.4)`.execute(db)).rejects.toMatchObject(RETRYABLE);
  });

  it('that is still not made after ten seconds is given up, though one in use is waited for longer', async () => {
    const proxy = await silentProxy(databaseUrl);
    const db = await openCounter(proxy.url);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    let free = () => {};
    const begun = vi.fn();
    const inUse = db.transaction().execute(
      () =>
        new Promise<void>((resolve) => {
          free = resolve;
          begun();
        }),
    );
    await vi.waitUntil(() => begun.mock.calls.length > 0, { timeout: 20_000 });
    proxy.fallSilent();
    const message = expect.stringContaining('can’t be reached');
    const asked = expect(total(db)).rejects.toMatchObject({ code: 'NEXUS_STORE_UNAVAILABLE', message });
    await vi.advanceTimersByTimeAsync(10_000);
    await asked;
    vi.useRealTimers();
    proxy.speakAgain();
    free();
    await inUse;
    await Promise.all(opened.splice(0).map((store) => store.close()));
    proxy.stop();
  });

  it('whose other end answers nothing is given up, and the next one is another', async () => {
    const proxy = await silentProxy(databaseUrl);
    const url = new URL(proxy.url);
    url.searchParams.set('query_timeout', '300');
    const db = await openCounter(url.href);
    proxy.fallSilent();
    const asked = db.transaction().execute((trx) => total(trx));
    await expect(asked).rejects.toMatchObject(RETRYABLE);
    proxy.speakAgain();
    expect(await vi.waitFor(() => total(db), 20_000)).toBe(0);
    await Promise.all(opened.splice(0).map((store) => store.close()));
    proxy.stop();
  });
});
