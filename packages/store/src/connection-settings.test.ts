import { Socket } from 'node:net';
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import { type CounterTables, counterMigrations } from '../test/counter.ts';
import { type Answer, type ScriptedPostgres, scriptedPostgres } from '../test/scripted-postgres.ts';
import { createStore, type OpenStore } from './index.ts';

// Else the first test alone would load it, and be the only one that its values are measured by.
beforeAll(() => import('./open-postgres.ts'));

let server: ScriptedPostgres | undefined;
let store: OpenStore | undefined;
afterEach(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  server?.stop();
  await store?.close();
});

/** A server whose schema is made already, and whose connections keep their settings or not. */
function played({ isLimited }: { isLimited: boolean }) {
  return (query: string, options: string): Answer => {
    const [, path = 'public'] = /search_path=(\w+)/.exec(options) ?? [];
    if (query.includes('as base')) return [{ base: 'public' }];
    if (query.includes('as limited')) return [{ schema: path, limited: isLimited }];
    if (query.includes('as there')) return [{ there: 'nexus_project' }];
    if (query.startsWith('select id from')) return [{ id: 'test' }];
    return [];
  };
}

async function open(answer: (query: string, options: string) => Answer): Promise<ScriptedPostgres> {
  server = await scriptedPostgres(answer);
  store = createStore({ projectId: 'test', dataDir: '', databaseUrl: server.url });
  return server;
}
const counter = () => store?.open<CounterTables>('counter', counterMigrations);

it('a connection asks for its limits from its start, and keeps an eye on the other end', async () => {
  const keepAlive = vi.spyOn(Socket.prototype, 'setKeepAlive');
  const { options } = await open(played({ isLimited: true }));
  await counter();
  expect(options.length).toBeGreaterThan(1);
  for (const asked of options) {
    const [none, ...each] = ` ${asked}`.split(' -c ');
    expect(none).toBe('');
    const settings = Object.fromEntries(each.map((setting) => setting.split('=')));
    expect(settings).toMatchObject({
      idle_in_transaction_session_timeout: '10000',
      lock_timeout: '10000',
      statement_timeout: '20000',
      tcp_user_timeout: '20000',
      tcp_keepalives_idle: '10',
      tcp_keepalives_interval: '5',
      tcp_keepalives_count: '2',
    });
  }
  expect(keepAlive.mock.calls).toContainEqual([true, 10_000]);
});

it('a transaction brings its limits where the connection has none, and only there', async () => {
  const LIMITED =
    'begin; set local idle_in_transaction_session_timeout = 10000; set local lock_timeout = 10000; set local statement_timeout = 20000';
  const begun = async (isLimited: boolean) => {
    const { queries } = await open(played({ isLimited }));
    const db = await counter();
    const before = queries.length;
    await db?.transaction().execute((trx) => trx.selectFrom('counter_totals').selectAll().execute());
    return { asked: queries.filter((query) => query.includes('as limited')), begun: queries[before] };
  };
  const without = await begun(false);
  expect(without.begun).toBe(LIMITED);
  expect(without.asked[0]).toContain("current_setting('idle_in_transaction_session_timeout') <> '0'");
  expect(without.asked[0]).toContain("current_setting('lock_timeout') <> '0'");
  await store?.close();
  server?.stop();
  expect((await begun(true)).begun).toBe('begin');
});

it('a migration takes as long as it takes: it lifts the limits before it waits for its turn', async () => {
  const { queries } = await open(played({ isLimited: true }));
  await counter();
  const lifted = queries.indexOf('set local statement_timeout = 0; set local lock_timeout = 0');
  expect(lifted).toBeGreaterThan(0);
  expect(queries[lifted - 1]).toBe('begin');
  expect(queries[lifted + 1]).toContain('pg_advisory_xact_lock');
});

it('an other end that answers nothing is given up after half a minute', async () => {
  const { queries } = await open(() => 'silent');
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const opened = Promise.resolve(counter());
  let isOver = false;
  const ended = opened
    .catch((error: unknown) => error)
    .finally(() => {
      isOver = true;
    });
  while (queries.length === 0) await new Promise((resolve) => setImmediate(resolve));
  await vi.advanceTimersByTimeAsync(29_999);
  expect(isOver).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  server?.stop();
  expect(await ended).toMatchObject({ code: 'NEXUS_STORE_UNAVAILABLE' });
});
