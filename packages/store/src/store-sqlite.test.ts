import { once } from 'node:events';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Migration } from '@nexus/plugin-sdk';
import { sql } from 'kysely';
import Database from 'libsql';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type CounterTables, counterMigrations } from '../test/counter.ts';
import { runChild, startChild } from '../test/run-child.ts';
import { testSignals } from '../test/signals-conformance.ts';
import { testStore } from '../test/store-conformance.ts';
import { createStore, type OpenStore } from './index.ts';

testStore('SQLite', async () => undefined);
testSignals('SQLite', async () => undefined);

describe('the embedded database', () => {
  let scratch: string;
  let dataDir: string;
  let store: OpenStore;
  beforeEach(() => {
    scratch = mkdtempSync(join(tmpdir(), 'nexus-store-'));
    dataDir = join(scratch, 'deep', 'data');
    store = createStore({ projectId: 'test', dataDir });
  });
  afterEach(async () => {
    vi.useRealTimers();
    await store.close();
    rmSync(scratch, { recursive: true, force: true });
  });
  const open = () => store.open<CounterTables>('counter', counterMigrations);
  const file = () => join(dataDir, 'nexus.sqlite');

  it('touches nothing before the first open', () => {
    expect(readdirSync(scratch)).toEqual([]);
  });

  it('checks foreign keys, and keeps a write-ahead log for which no lock waits', async () => {
    const db = await open();
    const pragma = async (name: string) =>
      Object.values((await sql.raw(`PRAGMA ${name}`).execute(db)).rows[0] ?? {})[0];
    expect(await pragma('journal_mode')).toBe('wal');
    // What waits for the disk is `logFile`, once the lock is given back.
    expect(await pragma('synchronous')).toBe(1);
    expect(await pragma('foreign_keys')).toBe(1);
  });

  it.skipIf(process.platform === 'win32')(
    'is private to its user, also when the file was not before',
    async () => {
      mkdirSync(dataDir, { recursive: true, mode: 0o700 });
      writeFileSync(file(), '', { mode: 0o644 });
      await open();
      expect(statSync(dataDir).mode & 0o777).toBe(0o700);
      const modes = readdirSync(dataDir).map((name) => [name, statSync(join(dataDir, name)).mode & 0o777]);
      expect(modes).toEqual(readdirSync(dataDir).map((name) => [name, 0o600]));
      expect(readdirSync(dataDir)).toContain('nexus.sqlite-wal');
    },
  );

  it('gives the connection to one transaction at a time, so that reading before writing is safe', async () => {
    const db = await open();
    const increment = () =>
      db.transaction().execute(async (trx) => {
        const { total } = await trx.selectFrom('counter_totals').selectAll().executeTakeFirstOrThrow();
        await new Promise((resolve) => setImmediate(resolve));
        await trx
          .updateTable('counter_totals')
          .set({ total: total + 1 })
          .execute();
      });
    await Promise.all(Array.from({ length: 20 }, increment));
    expect(await db.selectFrom('counter_totals').selectAll().execute()).toEqual([{ total: 20 }]);
  });

  it('has every answered write after its process was killed', async () => {
    const child = startChild({ dataDir, job: 'report', count: 1_000_000 });
    let answered = 0;
    for await (const _line of createInterface({ input: child.stdout ?? process.stdin })) {
      answered++;
      if (answered === 20) child.kill('SIGKILL');
    }
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    const db = await open();
    const { total } = await db.selectFrom('counter_totals').selectAll().executeTakeFirstOrThrow();
    expect(total).toBeGreaterThanOrEqual(answered);
    const events = await db.selectFrom('counter_events').selectAll().execute();
    expect(events).toHaveLength(total);
  });

  it('keeps its log when its own process opens it once more and another then closes it', async () => {
    const db = await open();
    const again = createStore({ projectId: 'test', dataDir });
    await again.open<CounterTables>('counter', counterMigrations);
    await runChild({ dataDir, job: 'count', count: 1 });
    expect(readdirSync(dataDir)).toContain('nexus.sqlite-wal');
    await db.updateTable('counter_totals').set({ total: 7 }).execute();
    await again.close();
    await runChild({ dataDir, job: 'count', count: 1 });
    expect(await db.selectFrom('counter_totals').selectAll().execute()).toEqual([{ total: 8 }]);
  });

  describe.skipIf(process.platform === 'win32')('that is taken away while it is open', () => {
    const takings: Record<string, () => void> = {
      'with its folder': () => rmSync(dataDir, { recursive: true }),
      whole: () => ['', '-wal', '-shm'].forEach((part) => void rmSync(file() + part)),
      'without its log': () => rmSync(file()),
      'of its log alone': () => rmSync(`${file()}-wal`),
      'for another': () => {
        renameSync(file(), `${file()}.old`);
        writeFileSync(file(), '');
      },
    };
    const gone = {
      code: 'NEXUS_STORE_UNAVAILABLE',
      message: expect.stringMatching(/is lost: .*nexus\.sqlite.* process \d+ .*nexus stop/),
      detail: { wasWritten: false, isForGood: true },
    };

    it.each(Object.keys(takings))('%s, takes no write more, still reads, and says so once', async (how) => {
      const onLost = vi.fn();
      const watched = createStore({ projectId: 'test', dataDir, onLost });
      const db = await watched.open<CounterTables>('counter', counterMigrations);
      const write = () => db.updateTable('counter_totals').set({ total: 7 }).execute();
      await write();
      await watched.ahead(db.updateTable('counter_totals').set({ total: 8 }).compile());
      expect(watched.lost()).toBeUndefined();
      takings[how]?.();
      await expect(write()).rejects.toMatchObject(gone);
      await expect(
        db.transaction().execute((trx) => trx.deleteFrom('counter_totals').execute()),
      ).rejects.toMatchObject(gone);
      await expect(watched.ahead(db.deleteFrom('counter_totals').compile())).rejects.toMatchObject(gone);
      await expect(watched.shrink()).rejects.toMatchObject(gone);
      expect(await db.selectFrom('counter_totals').selectAll().execute()).toEqual([{ total: 8 }]);
      expect(watched.lost()).toMatch(/is lost/);
      expect(onLost).toHaveBeenCalledTimes(1);
      await watched.close();
    });

    it('before the end of a transaction, whose writes are then refused', async () => {
      const db = await open();
      const writing = db.transaction().execute(async (trx) => {
        await trx.updateTable('counter_totals').set({ total: 7 }).execute();
        takings.whole?.();
      });
      await expect(writing).rejects.toMatchObject(gone);
    });

    it('is noticed where nobody writes', async () => {
      vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
      const onLost = vi.fn();
      const watched = createStore({ projectId: 'test', dataDir, onLost });
      await watched.open('counter', counterMigrations);
      takings.whole?.();
      vi.advanceTimersByTime(2_000);
      expect(onLost).toHaveBeenCalledTimes(1);
      vi.advanceTimersByTime(10_000);
      expect(onLost).toHaveBeenCalledTimes(1);
      await watched.close();
    });
  });

  describe('that can’t be opened', () => {
    const refusal = (path: string, fix: RegExp) => ({
      code: 'NEXUS_STORE_UNAVAILABLE',
      message: expect.stringMatching(new RegExp(`${path}.*${fix.source}`)),
    });

    it('because it is another kind of file is left as it is', async () => {
      mkdirSync(dataDir, { recursive: true });
      const content = 'not a database '.repeat(1000);
      writeFileSync(file(), content);
      await expect(open()).rejects.toMatchObject(refusal(file(), /is not an SQLite database.*move it away/));
      expect(readFileSync(file(), 'utf8')).toBe(content);
    });

    it('because its pages are damaged is left as it is', async () => {
      const db = await open();
      await sql`insert into counter_events select value, value from json_each(${JSON.stringify(Array.from({ length: 5000 }, (_, n) => n))})`.execute(
        db,
      );
      await sql`PRAGMA wal_checkpoint(TRUNCATE)`.execute(db);
      await store.close();
      const bytes = readFileSync(file());
      bytes.fill(0x5a, 100);
      writeFileSync(file(), bytes);
      const damaged = createStore({ projectId: 'test', dataDir });
      await expect(damaged.open('counter', counterMigrations)).rejects.toMatchObject(
        refusal(file(), /is damaged.*restore a backup/),
      );
      await damaged.close();
      expect(readFileSync(file()).equals(bytes)).toBe(true);
    });

    it('because a file is where its directory should be says so', async () => {
      writeFileSync(join(scratch, 'deep'), '');
      await expect(open()).rejects.toMatchObject(refusal(file(), /is a file.*NEXUS_DATA_DIR/));
    });

    it('because a directory is where it should be says so', async () => {
      mkdirSync(file(), { recursive: true });
      await expect(open()).rejects.toMatchObject(refusal(file(), /is a directory/));
    });

    it.skipIf(process.platform === 'win32')('because its directory is read-only says so', async () => {
      mkdirSync(dataDir, { recursive: true });
      for (const folder of [scratch, join(scratch, 'deep')]) chmodSync(folder, 0o755);
      chmodSync(dataDir, 0o555);
      const nobody = process.getuid?.() === 0 ? { uid: 65_534 } : {}; // root may write anywhere
      const run = runChild({ dataDir, job: 'count', count: 0, ...nobody });
      await expect(run).rejects.toThrow(/NEXUS_STORE_UNAVAILABLE/);
      await expect(run).rejects.toThrow(`${file()} can’t be opened: no permission`);
    });

    it('opens once the fault is mended', async () => {
      writeFileSync(join(scratch, 'deep'), '');
      await expect(open()).rejects.toThrow();
      rmSync(join(scratch, 'deep'));
      await expect(open()).resolves.toBeDefined();
    });
  });

  describe('while another process holds the write lock', () => {
    const lock = () => {
      const other = new Database(file());
      other.exec('begin immediate');
      return other;
    };

    it('waits, and writes once the lock is free', async () => {
      const db = await open();
      const other = lock();
      const write = db.updateTable('counter_totals').set({ total: 7 }).execute();
      await new Promise((resolve) => setTimeout(resolve, 100));
      other.exec('commit');
      other.close();
      await write;
      expect(await db.selectFrom('counter_totals').selectAll().execute()).toEqual([{ total: 7 }]);
    });

    it('reads on while a write of its own waits', async () => {
      const db = await open();
      const other = lock();
      const write = db.updateTable('counter_totals').set({ total: 7 }).execute();
      const inTurn = db.transaction().execute((trx) =>
        trx
          .updateTable('counter_totals')
          .set(({ eb }) => ({ total: eb('total', '+', 1) }))
          .execute(),
      );
      expect(await db.selectFrom('counter_totals').selectAll().execute()).toEqual([{ total: 0 }]);
      other.exec('rollback');
      other.close();
      await Promise.all([write, inTurn]);
      expect([7, 8]).toContain((await db.selectFrom('counter_totals').selectAll().executeTakeFirst())?.total);
    });

    it('has tables that nobody has made to be read, with nothing in them, also while it is about to make them', async () => {
      await store.open('other', []);
      const other = lock();
      const begun: readonly Migration[] = [counterMigrations[0] as Migration];
      const openBlank = () => store.blank<CounterTables>('counter', begun);
      const making = store.open('counter', begun);
      expect(await store.openToRead('counter', begun)).toBeUndefined();
      const db = await openBlank();
      expect(await db.selectFrom('counter_totals').selectAll().execute()).toEqual([]);
      const write = db.insertInto('counter_totals').values({ total: 1 }).execute();
      await expect(write).rejects.toThrow('readonly');
      expect(await openBlank()).toBe(db);
      other.exec('commit');
      other.close();
      await making;
      expect(await store.openToRead('counter', begun)).toBeDefined();
    });

    it('reads by a query that has names for others', async () => {
      const db = await open();
      const other = lock();
      const { rows } =
        await sql`with named as (select total from counter_totals) select total from named`.execute(db);
      expect(rows).toEqual([{ total: 0 }]);
      other.close();
    });

    it('opens and reads a database that is up to date', async () => {
      await open();
      const other = lock();
      const second = createStore({ projectId: 'test', dataDir });
      const db = await second.open<CounterTables>('counter', counterMigrations);
      expect(await db.selectFrom('counter_totals').selectAll().execute()).toEqual([{ total: 0 }]);
      other.close();
      await second.close();
    });

    it('gives up in the end, says why, and writes again once the lock is free', async () => {
      const db = await open();
      const other = lock();
      vi.useFakeTimers();
      const write = db.updateTable('counter_totals').set({ total: 7 }).execute();
      const refused = expect(write).rejects.toMatchObject({
        code: 'NEXUS_STORE_UNAVAILABLE',
        message: expect.stringContaining('stayed locked by another process for 15 s'),
      });
      await vi.advanceTimersByTimeAsync(20_000);
      await refused;
      vi.useRealTimers();
      other.exec('rollback');
      other.close();
      await db.transaction().execute((trx) => trx.updateTable('counter_totals').set({ total: 8 }).execute());
      const third = new Database(file());
      expect(third.prepare('select total from counter_totals').all()).toEqual([{ total: 8 }]);
      third.close();
    });
  });
});
