import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Migration } from '@nexus/plugin-sdk';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createStore, type OpenStore } from '../src/index.ts';

/** What passes beside the tables, and the clock, on every database; `freshUrl` as for `testStore`. */
export function testSignals(name: string, freshUrl: () => Promise<string | undefined>): void {
  describe(`signals and clock on ${name}`, () => {
    let dataDir: string;
    let databaseUrl: string | undefined;
    const opened: OpenStore[] = [];
    const newStore = (settings: { projectId?: string; testClock?: () => number } = {}) => {
      const store = createStore({ projectId: 'test', dataDir, databaseUrl, ...settings });
      opened.push(store);
      return store;
    };

    beforeEach(async () => {
      dataDir = mkdtempSync(join(tmpdir(), 'nexus-signals-'));
      databaseUrl = await freshUrl();
    });
    afterEach(async () => {
      await Promise.all(opened.splice(0).map((store) => store.close()));
      rmSync(dataDir, { recursive: true, force: true });
    });

    describe('the clock', () => {
      it('reads as milliseconds and compares in a query', async () => {
        const store = newStore();
        const db = await store.open('none', []);
        const before = Date.now();
        const now = await store.readNow(db);
        expect(Number.isInteger(now)).toBe(true);
        expect(Math.abs(now - before)).toBeLessThan(60_000); // one machine, and no test of speed
        const { rows } = await sql`select 1 as one where ${store.now} >= ${now}`.execute(db);
        expect(rows).toEqual([{ one: 1 }]);
      });

      it('is a test’s where one gives its own', async () => {
        let now = 4_000_000_000_000;
        const store = newStore({ testClock: () => now });
        const db = await store.open('none', []);
        expect(await store.readNow(db)).toBe(4_000_000_000_000);
        now += 1;
        expect(await store.readNow(db)).toBe(4_000_000_000_001);
      });
    });

    describe('notifications', () => {
      it('reach who listens on their channel, and nobody after the end', async () => {
        const store = newStore();
        const heard: unknown[] = [];
        const stop = await store.listen('work', (payload) => heard.push(payload));
        const last = await nextOf(store, 'last');
        await store.notify('other', 'not for us');
        await store.notify('work', 'line 1\nline 2');
        await store.notify('last', '');
        expect(await last.payload).toBe('');
        expect(heard).toEqual(['line 1\nline 2']);
        stop();
        const end = await nextOf(store, 'last');
        await store.notify('work', 'too late');
        await store.notify('last', 'end');
        expect(await end.payload).toBe('end');
        expect(heard).toHaveLength(1);
      });

      it('reach other processes, in their order, once the rows of their transaction can be read', async () => {
        const told: readonly Migration[] = [
          {
            name: '0001-told',
            up: (trx) => trx.schema.createTable('told').addColumn('n', 'integer').execute(),
          },
        ];
        const [here, elsewhere] = [newStore(), newStore()];
        const db = await here.open<{ told: { n: number } }>('told', told);
        const there = await elsewhere.open<{ told: { n: number } }>('told', told);
        const heard: (string | undefined)[] = [];
        const done = deferred<unknown>();
        await elsewhere.listen('told', (payload) => {
          heard.push(payload);
          if (payload === 'last') done.resolve(there.selectFrom('told').selectAll().execute());
        });
        await here.notify('told', 'first');
        await db.transaction().execute(async (trx) => {
          await here.notify('told', 'last', trx);
          // Long enough for a notice that does not wait for the commit.
          await new Promise((resolve) => setTimeout(resolve, 100));
          await trx.insertInto('told').values({ n: 7 }).execute();
        });
        expect(await done.promise).toEqual([{ n: 7 }]);
        expect(heard).toEqual(['first', 'last']);
      });

      it('of a transaction are heard when its rows can be read', async () => {
        const store = newStore();
        const db = await store.open<{ told: { n: number } }>('told', [
          {
            name: '0001-told',
            up: (trx) => trx.schema.createTable('told').addColumn('n', 'integer').execute(),
          },
        ]);
        const told = deferred<unknown>();
        await store.listen('told', () => told.resolve(db.selectFrom('told').selectAll().execute()));
        await db.transaction().execute(async (trx) => {
          await store.notify('told', '', trx);
          await trx.insertInto('told').values({ n: 1 }).execute();
        });
        expect(await told.promise).toEqual([{ n: 1 }]);
      });
    });

    describe('a held name', () => {
      it('is held once, seen as held, and free after its release', async () => {
        const store = newStore();
        const hold = await store.hold('me');
        expect(hold?.lost.aborted).toBe(false);
        expect(await store.hold('me')).toBeUndefined();
        expect([await store.isHeld('me'), await store.isHeld('you')]).toEqual([true, false]);
        await hold?.release();
        expect(await store.isHeld('me')).toBe(false);
        const next = await store.hold('me');
        await hold?.release(); // of one that is over: it is the next one's now
        expect(next).toBeDefined();
        expect(await store.isHeld('me')).toBe(true);
      });

      it('is held against another process of the project, until this one is gone', async () => {
        const store = newStore();
        const other = newStore();
        await store.hold('mine');
        expect(await other.hold('mine')).toBeUndefined();
        expect(await other.isHeld('mine')).toBe(true);
        await store.close();
        expect(await other.isHeld('mine')).toBe(false);
        expect(await other.hold('mine')).toBeDefined();
      });
    });
  });
}

/** The next payload on a channel; listening has begun when the outer promise is there. */
async function nextOf(store: OpenStore, channel: string): Promise<{ payload: Promise<string | undefined> }> {
  let stop = () => {};
  const { promise, resolve } = deferred<string | undefined>();
  stop = await store.listen(channel, resolve);
  return { payload: promise.finally(() => stop()) };
}

function deferred<Value>() {
  let resolve: (value: Value) => void = () => {};
  const promise = new Promise<Value>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
