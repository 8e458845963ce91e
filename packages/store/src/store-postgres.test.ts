import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { findPostgres, type PostgresServer, startPostgres } from '../test/postgres-server.ts';
import { testSignals } from '../test/signals-conformance.ts';
import { testStore } from '../test/store-conformance.ts';
import { createStore } from './index.ts';

const binaries = findPostgres();
if (!binaries) console.warn('No Postgres on this machine (initdb, postgres): its tests are skipped.');

describe.skipIf(!binaries)('with a Postgres server', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres(binaries ?? '');
  });
  afterAll(() => server?.stop());

  testStore('Postgres', () => server.createSchema());
  testSignals('Postgres', () => server.createSchema());

  it('names the server and not the password when the password is wrong', async () => {
    const databaseUrl = server.url.replace(/:[^:@]+@/, ':wrong-pass%2Fword@');
    const error = await createStore({ projectId: 'test', dataDir: '', databaseUrl })
      .open('none', [])
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'NEXUS_STORE_UNAVAILABLE' });
    expect(String(error)).toMatch(/localhost\/postgres.*NEXUS_DATABASE_URL/);
    expect(everythingIn(error)).not.toMatch(/wrong-pass/);
  });

  it('asks nothing of a connection while it is asked something else', async () => {
    const warnings: string[] = [];
    const onWarning = ({ message }: Error) => warnings.push(message);
    process.on('warning', onWarning);
    const store = createStore({ projectId: 'test', dataDir: '', databaseUrl: await server.createSchema() });
    await store.open('none', []);
    const holds = await Promise.all(['a', 'b', 'c'].map((name) => store.hold(name)));
    expect(holds.every((hold) => hold !== undefined)).toBe(true);
    expect(await Promise.all(['a', 'b', 'z'].map((name) => store.isHeld(name)))).toEqual([true, true, false]);
    await store.close();
    process.off('warning', onWarning);
    expect(warnings).toEqual([]);
  });

  it('lets who comes wait while all its connections are in use, and takes no line for a server that is away', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const store = createStore({ projectId: 'test', dataDir: '', databaseUrl: await server.createSchema() });
    const db = await store.open('none', []);
    let free = () => {};
    const gate = new Promise<void>((resolve) => {
      free = resolve;
    });
    let begun = 0;
    const inUse = Array.from({ length: 10 }, () =>
      db.transaction().execute(async () => {
        begun += 1;
        await gate;
      }),
    );
    await vi.waitUntil(() => begun === inUse.length, { timeout: 20_000 });
    const ask = () => sql`select 1 as one`.execute(db);
    const first = expect(ask()).rejects.toMatchObject({
      code: 'NEXUS_STORE_UNAVAILABLE',
      message: expect.stringContaining('was busy'),
    });
    await vi.advanceTimersByTimeAsync(30_000);
    const second = ask();
    await vi.advanceTimersByTimeAsync(40_000);
    await first;
    free();
    expect((await second).rows).toEqual([{ one: 1 }]);
    await Promise.all(inUse);
    vi.useRealTimers();
    await store.close();
  });

  it('survives that the server ends its connections', async () => {
    const store = createStore({ projectId: 'test', dataDir: '', databaseUrl: await server.createSchema() });
    const db = await store.open('none', []);
    const admin = createStore({ projectId: 'test', dataDir: '', databaseUrl: server.url });
    const adminDb = await admin.open('none', []);
    await sql`select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and backend_type = 'client backend'`.execute(
      adminDb,
    );
    await new Promise((resolve) => setTimeout(resolve, 50)); // the news of it travels over the socket
    const { rows } = await sql`select 1 as one`.execute(db);
    expect(rows).toEqual([{ one: 1 }]);
    await Promise.all([store.close(), admin.close()]);
  });
});

describe('a database URL that leads nowhere', () => {
  it.each([
    ['another database', 'mysql://u:hush@h/db'],
    ['no URL', 'postgres://u:hush@[bad/db'],
    ['nobody listening', 'postgres://u:hush@127.0.0.1:1/db'],
    ['a bad port', 'postgres://u:hush@h:99999/db'],
    ['nothing', ''],
  ])('is refused without its password: %s', async (_name, databaseUrl) => {
    const error = await createStore({ projectId: 'test', dataDir: '', databaseUrl })
      .open('none', [])
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'NEXUS_STORE_UNAVAILABLE' });
    expect(String(error)).toContain('NEXUS_DATABASE_URL');
    expect(everythingIn(error)).not.toContain('hush');
  });
});

/** All that a logger could print: message, stack, cause, own properties. */
function everythingIn(error: unknown): string {
  if (!(error instanceof Error)) return JSON.stringify(error);
  return [error.stack, JSON.stringify(error), error.cause ? everythingIn(error.cause) : ''].join('\n');
}
