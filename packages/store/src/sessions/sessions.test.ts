import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SessionScope } from '@nexus/plugin-sdk';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { findPostgres, type PostgresServer, startPostgres } from '../../test/postgres-server.ts';
import { createStore, type OpenStore } from '../store.ts';
import { createSessions } from './create-sessions.ts';

const binaries = findPostgres();
let postgres: PostgresServer | undefined;
beforeAll(async () => {
  postgres = binaries ? await startPostgres(binaries) : undefined;
});
afterAll(() => postgres?.stop());

/** A session as the app has it: its releases end with it. */
function sessionOf(id: string): SessionScope & { end(): Promise<void> } {
  const releases: (() => void | Promise<void>)[] = [];
  let hasEnded = false;
  return {
    id,
    outer: undefined,
    get hasEnded() {
      return hasEnded;
    },
    onEnd(release) {
      if (hasEnded) void release();
      else releases.push(release);
      return () => {};
    },
    async end() {
      hasEnded = true;
      await Promise.all(releases.map((release) => release()));
    },
  };
}

/** What happens to what a server asks of its store. */
interface Faults {
  readNow?(read: () => Promise<number>): Promise<number>;
  open?<Opened>(opened: () => Promise<Opened>): Promise<Opened>;
}

describe.each(binaries ? ['SQLite', 'Postgres'] : ['SQLite'])('sessions on %s', (name) => {
  let dataDir: string;
  let databaseUrl: string | undefined;
  let now: number;
  const servers: { stop(): Promise<void> }[] = [];
  beforeEach(async () => {
    now = 1_000_000;
    dataDir = mkdtempSync(join(tmpdir(), 'nexus-sessions-'));
    databaseUrl = name === 'Postgres' ? await postgres?.createSchema() : undefined;
  });
  afterEach(async () => {
    for (const server of servers.splice(0)) await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  /** A server of the project, with what it was told of sessions that are over. */
  function server({ readNow = (read) => read(), open = (opened) => opened() }: Faults = {}) {
    const made = createStore({ projectId: 'test', dataDir, databaseUrl, testClock: () => now });
    const store: OpenStore = {
      ...made,
      readNow: (db) => readNow(() => made.readNow(db)),
      open: <Tables>(...asked: Parameters<OpenStore['open']>) => open(() => made.open<Tables>(...asked)),
    };
    const shutdown = new AbortController();
    const connected = new Map<string, SessionScope>();
    const told: string[] = [];
    const lines: string[] = [];
    const log = { debug() {}, info() {}, error() {}, warn: (line: string) => void lines.push(line) };
    const find = (id: string) => connected.get(id);
    const sessions = createSessions({ store, log, find, shutdown: shutdown.signal });
    sessions.onOver((id) => void told.push(id));
    let isStopped = false;
    const running = {
      ...{ sessions, store, connected, told, lines },
      async stop() {
        if (isStopped) return;
        isStopped = true;
        shutdown.abort();
        await Promise.all(
          [...connected.values()].map((each) => (each as ReturnType<typeof sessionOf>).end()),
        );
        await sessions.close();
        await store.close();
      },
      connect(id: string) {
        const session = sessionOf(id);
        connected.set(id, session);
        return session;
      },
    };
    servers.push(running);
    return running;
  }
  const rows = async ({ store }: ReturnType<typeof server>) => {
    const db = await store.open<{ sessions_present: { id: string; server: string } }>('sessions', []);
    return db.selectFrom('sessions_present').select(['id', 'server']).orderBy('id').execute();
  };

  it('are there until they end, and each server knows', async () => {
    const [a, b] = [server(), server()];
    const session = a.connect('one');
    await a.sessions.record(session);
    await a.sessions.record(session);
    const asked = ['one', 'never'];
    expect([await a.sessions.over(asked), await b.sessions.over(asked)]).toEqual([['never'], ['never']]);
    await session.end();
    expect([a.told, b.told]).toEqual([['one'], []]);
    expect(await b.sessions.over(asked)).toEqual(asked);
    expect(await rows(b)).toEqual([]);
  });

  it('that end while they are put on record are over', async () => {
    const a = server();
    const session = a.connect('one');
    const recording = a.sessions.record(session);
    await session.end();
    await recording;
    await vi.waitFor(async () => expect(a.told).toEqual(['one']));
    expect(await rows(a)).toEqual([]);
  });

  it('of a server that has gone are over ten seconds after that was seen, one that was not asked for as well', async () => {
    const [a, b] = [server(), server()];
    await a.sessions.record(a.connect('one'));
    await a.sessions.record(a.connect('two'));
    await a.stop();
    now += 3_600_000;
    expect(await b.sessions.over(['one'])).toEqual([]);
    now += 9_999;
    expect(await b.sessions.over(['one'])).toEqual([]);
    now += 1;
    expect(await b.sessions.over(['one'])).toEqual(['one']);
    expect(await rows(b)).toEqual([]);
    expect(b.told).toEqual([]);
  });

  it('that are seen to be absent are looked for once more when they would be over, though nobody asks', async () => {
    const [a, b, c] = [server(), server(), server()];
    await a.sessions.record(a.connect('one'));
    await a.sessions.record(a.connect('two'));
    await a.stop();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    try {
      await b.sessions.over(['one']);
      now += 4_000;
      await vi.advanceTimersByTimeAsync(4_000);
      // What one server saw another's look goes by, too.
      await c.sessions.over(['one']);
      await b.stop();
      await c.sessions.record(c.connect('two'));
      now += 6_000;
      await vi.advanceTimersByTimeAsync(6_000);
      expect(c.told).toEqual([]);
      await vi.advanceTimersByTimeAsync(1_000);
    } finally {
      vi.useRealTimers();
    }
    await vi.waitFor(() => expect(c.told).toEqual(['one']));
    expect(await rows(c)).toMatchObject([{ id: 'two' }]);
  });

  it('that came to another server end there alone', async () => {
    const [a, b, c] = [server(), server(), server()];
    const before = a.connect('one');
    await a.sessions.record(before);
    const servedBy = (await rows(c))[0]?.server;
    const moved = b.connect('one');
    b.sessions.resumed(moved);
    await vi.waitFor(async () => expect(await rows(c)).not.toMatchObject([{ server: servedBy }]));
    await a.stop();
    for (let look = 0; look < 3; look += 1) {
      now += 20_000;
      expect(await c.sessions.over(['one'])).toEqual([]);
    }
    expect(a.told).toEqual([]);
    await moved.end();
    expect(b.told).toEqual(['one']);
    expect(await c.sessions.over(['one'])).toEqual(['one']);
  });

  it('that moved while their server hung are no longer its to end', async () => {
    const [a, b] = [server(), server()];
    const before = a.connect('one');
    await a.sessions.record(before);
    await b.sessions.record(b.connect('one'));
    await before.end();
    expect(a.told).toEqual([]);
    expect(await b.sessions.over(['one'])).toEqual([]);
  });

  it('that come back to the same server have their place, whenever the connection before ends', async () => {
    const a = server();
    const before = a.connect('one');
    await a.sessions.record(before);
    const again = a.connect('one');
    await a.sessions.record(again);
    await before.end();
    expect(a.told).toEqual([]);
    expect(await a.sessions.over(['one'])).toEqual([]);
    await again.end();
    expect(a.told).toEqual(['one']);
  });

  it('are found where they are connected, though nothing said that they came', async () => {
    const [a, b, c] = [server(), server(), server()];
    await a.sessions.record(a.connect('one'));
    await a.stop();
    b.connect('one');
    expect(await b.sessions.over(['one'])).toEqual([]);
    now += 20_000;
    expect(await c.sessions.over(['one'])).toEqual([]);
    now += 20_000;
    expect(await c.sessions.over(['one'])).toEqual([]);
  });

  it('that come somewhere in the moment that they would be over are there', async () => {
    const [a, c] = [server(), server()];
    const b = server({
      // The last thing before they are taken off the record.
      async readNow(read) {
        if (now > 2_000_000) await c.sessions.record(c.connect('one'));
        return read();
      },
    });
    await a.sessions.record(a.connect('one'));
    await a.stop();
    await b.sessions.over(['one']);
    now += 1_500_000;
    expect(await b.sessions.over(['one'])).toEqual([]);
    expect(await c.sessions.over(['one'])).toEqual([]);
  });

  it('whose end could not be put on record are over all the same, a while later', async () => {
    let isAway = false;
    const a = server({
      async open(opened) {
        if (isAway) throw new Error('the database is away');
        return opened();
      },
    });
    const session = a.connect('one');
    await a.sessions.record(session);
    isAway = true;
    await session.end();
    expect([a.told, a.lines]).toEqual([[], ['what a session held could not be given back']]);
    isAway = false;
    expect(await a.sessions.over(['one'])).toEqual([]);
    now += 10_000;
    expect(await a.sessions.over(['one'])).toEqual(['one']);
  });

  it('go on where their server stops, also those that it still had', async () => {
    const [a, b] = [server(), server()];
    await a.sessions.record(a.connect('one'));
    await a.stop();
    expect(a.told).toEqual([]);
    expect(await rows(b)).toMatchObject([{ id: 'one' }]);
  });

  it('cost nothing where none comes that another server had', async () => {
    const a = server();
    expect(await a.sessions.over([])).toEqual([]);
    const session = a.connect('one');
    a.sessions.resumed(session);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await rows(a)).toEqual([]);
    await session.end();
    expect([a.told, a.lines]).toEqual([[], []]);
  });

  it.skipIf(name === 'SQLite')('stay where their server loses its connection, and comes back', async () => {
    const [a, b] = [server(), server()];
    const session = a.connect('one');
    await a.sessions.record(session);
    await a.sessions.record(a.connect('two'));
    const moved = b.connect('two');
    await b.sessions.record(moved);
    const [before] = await rows(b);
    const db = await b.store.open('none', []);
    await sql`select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()
        and application_name = (select application_name from pg_stat_activity where pid = pg_backend_pid())`.execute(
      db,
    );
    // A look that meets the break fails as any query does, and gives nobody up.
    for (let look = 0; look < 50; look += 1) {
      const over = await b.sessions.over(['one']).catch(() => []);
      expect(over).toEqual([]);
    }
    await vi.waitFor(async () => expect((await rows(b))[0]?.server).not.toBe(before?.server), 10_000);
    now += 60_000;
    for (let look = 0; look < 3; look += 1) expect(await b.sessions.over(['one'])).toEqual([]);
    await Promise.all([session.end(), moved.end()]);
    expect([a.told, b.told]).toEqual([['one'], ['two']]);
  });
});
