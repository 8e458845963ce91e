import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Migration } from '@nexus/plugin-sdk';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createStore, type OpenStore } from '../src/index.ts';
import { type CounterTables, counterMigrations } from './counter.ts';
import { runChild } from './run-child.ts';

interface Tables {
  notes_entries: { id: string; text: unknown; whole: unknown; real: unknown; bytes: unknown };
}

const createEntries: Migration = {
  name: '0001-entries',
  up: (db, dialect) =>
    db.schema
      .createTable('notes_entries')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('text', 'text')
      .addColumn('whole', 'bigint')
      .addColumn('real', 'double precision')
      .addColumn('bytes', dialect === 'postgres' ? 'bytea' : 'blob')
      .execute(),
};
const addColour: Migration = {
  name: '0002-colour',
  up: (db) => db.schema.alterTable('notes_entries').addColumn('colour', 'text').execute(),
};
const entry = { text: null, whole: null, real: null, bytes: null };

/** What a store must do on every database. `freshUrl` gives an empty one; undefined means embedded. */
export function testStore(name: string, freshUrl: () => Promise<string | undefined>): void {
  describe(`store on ${name}`, () => {
    let dataDir: string;
    let databaseUrl: string | undefined;
    const opened: OpenStore[] = [];

    const newStore = () => {
      const store = createStore({ projectId: 'test', dataDir, databaseUrl });
      opened.push(store);
      return store;
    };
    const openNotes = (migrations = [createEntries]) => newStore().open<Tables>('notes', migrations);
    const openCounter = () => newStore().open<CounterTables>('counter', counterMigrations);

    beforeEach(async () => {
      dataDir = mkdtempSync(join(tmpdir(), 'nexus-store-'));
      databaseUrl = await freshUrl();
    });
    afterEach(async () => {
      await Promise.all(opened.splice(0).map((store) => store.close()));
      rmSync(dataDir, { recursive: true, force: true });
    });

    describe('a statement ahead of others', () => {
      it('is made while a transaction is open, and takes nothing from it', async () => {
        const store = newStore();
        const db = await store.open<Tables>('notes', [createEntries]);
        const write = (id: string) =>
          db
            .insertInto('notes_entries')
            .values({ id, ...entry })
            .compile();
        await store.ahead(write('first'));
        let ahead: Promise<void> | undefined;
        await db.transaction().execute(async (trx) => {
          await trx
            .insertInto('notes_entries')
            .values({ id: 'own', ...entry })
            .execute();
          ahead = store.ahead(write('ahead'));
          await trx.selectFrom('notes_entries').select('id').execute();
        });
        await ahead;
        const rows = await db.selectFrom('notes_entries').select('id').orderBy('id').execute();
        expect(rows.map(({ id }) => id)).toEqual(['ahead', 'first', 'own']);
      });

      it('that is refused is the only one', async () => {
        const store = newStore();
        const db = await store.open<Tables>('notes', [createEntries]);
        const write = (id: string) =>
          db
            .insertInto('notes_entries')
            .values({ id, ...entry })
            .compile();
        await store.ahead(write('one'));
        await expect(store.ahead(write('one'))).rejects.toThrow();
        await store.ahead(write('two'));
        const rows = await db.selectFrom('notes_entries').select('id').orderBy('id').execute();
        expect(rows.map(({ id }) => id)).toEqual(['one', 'two']);
      });
    });

    describe('values', () => {
      it('gives back text, whole and real numbers and bytes as they were', async () => {
        const db = await openNotes();
        const written = {
          id: 'a',
          text: 'naïve 漢字 👩‍👩‍👧 \' " \\ %',
          whole: Number.MAX_SAFE_INTEGER,
          real: 0.1,
          bytes: new Uint8Array([0, 1, 255]),
        };
        await db.insertInto('notes_entries').values(written).execute();
        const row = await db.selectFrom('notes_entries').selectAll().executeTakeFirstOrThrow();
        expect({ ...row, bytes: [...(row.bytes as Uint8Array)] }).toEqual({ ...written, bytes: [0, 1, 255] });
      });

      it('stores a boolean as 1 or 0 and undefined as null', async () => {
        const db = await openNotes();
        await db
          .insertInto('notes_entries')
          .values({ ...entry, id: 'a', whole: true, text: undefined })
          .execute();
        const row = await db.selectFrom('notes_entries').select(['whole', 'text']).executeTakeFirst();
        expect(row).toEqual({ whole: 1, text: null });
      });

      it.each([
        ['text with U+0000', 'a\0b', 'U+0000'],
        ['NaN', Number.NaN, 'NaN'],
        ['an object', { a: 1 }, 'stringify'],
        ['a date', new Date(0), 'Date'],
      ])('refuses %s, which a database would lose or take otherwise', async (_name, value, reason) => {
        const db = await openNotes();
        const write = db
          .insertInto('notes_entries')
          .values({ ...entry, id: 'a', text: value })
          .execute();
        await expect(write).rejects.toThrow(reason);
      });

      it('counts, sums and finds the maximum as numbers', async () => {
        const db = await openNotes();
        await db
          .insertInto('notes_entries')
          .values([1, 2].map((whole) => ({ ...entry, id: String(whole), whole })))
          .execute();
        const row = await db
          .selectFrom('notes_entries')
          .select(({ fn }) => [fn.countAll().as('n'), fn.sum('whole').as('sum'), fn.max('whole').as('max')])
          .executeTakeFirst();
        expect(row).toEqual({ n: 2, sum: 3, max: 2 });
      });

      it('writes over what is there and returns the row in one statement', async () => {
        const db = await openNotes();
        const upsert = () =>
          db
            .insertInto('notes_entries')
            .values({ ...entry, id: 'a', whole: 1 })
            .onConflict((conflict) =>
              conflict.column('id').doUpdateSet({ whole: sql`notes_entries.whole + 1` }),
            )
            .returning('whole')
            .executeTakeFirst();
        expect([await upsert(), await upsert()]).toEqual([{ whole: 1 }, { whole: 2 }]);
      });
    });

    describe('transactions', () => {
      it('leaves nothing of one that fails, and all of one that ran beside it', async () => {
        const db = await openNotes();
        const write = (id: string, fail: boolean) =>
          db.transaction().execute(async (trx) => {
            await trx
              .insertInto('notes_entries')
              .values({ ...entry, id })
              .execute();
            await new Promise((resolve) => setImmediate(resolve));
            if (fail) throw new Error('no');
          });
        const results = await Promise.allSettled([write('a', true), write('b', false), write('c', true)]);
        expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'rejected']);
        expect(await db.selectFrom('notes_entries').select('id').execute()).toEqual([{ id: 'b' }]);
      });

      it('refuse what asks beside them from inside, at once and with the reason, and go on', async () => {
        const db = await openNotes();
        await expect(
          db.transaction().execute(async (trx) => {
            await expect(db.selectFrom('notes_entries').selectAll().execute()).rejects.toThrow(
              /is not a part of it/,
            );
            await expect(
              db
                .transaction()
                .setIsolationLevel('serializable')
                .execute(async () => {}),
            ).rejects.toThrow(/is not a part of it/);
            await expect(
              db.connection().execute(async (own) => own.selectFrom('notes_entries').selectAll().execute()),
            ).rejects.toThrow(/is not a part of it/);
            await trx
              .insertInto('notes_entries')
              .values({ ...entry, id: 'inside' })
              .execute();
            return 'done';
          }),
        ).resolves.toBe('done');
        await expect(db.selectFrom('notes_entries').selectAll().execute()).resolves.toHaveLength(1);
      });

      it('let what they began go its own way once they are over', async () => {
        const db = await openNotes();
        const later = await db.transaction().execute(async () => {
          const wait = new Promise((resolve) => setTimeout(resolve, 20));
          return { read: wait.then(() => db.selectFrom('notes_entries').selectAll().execute()) };
        });
        expect(await later.read).toEqual([]);
      });

      it('keeps every one of many concurrent increments', async () => {
        const db = await openCounter();
        const increment = () =>
          db.transaction().execute(async (trx) => {
            await new Promise((resolve) => setImmediate(resolve));
            await trx
              .updateTable('counter_totals')
              .set(({ eb }) => ({ total: eb('total', '+', 1) }))
              .execute();
          });
        await Promise.all(Array.from({ length: 40 }, increment));
        expect(await db.selectFrom('counter_totals').selectAll().execute()).toEqual([{ total: 40 }]);
      });
    });

    describe('migrations', () => {
      it('run once, in order, and later ones on a later version', async () => {
        const ran: string[] = [];
        const noted = (migration: Migration): Migration => ({
          name: migration.name,
          up: async (...args) => {
            ran.push(migration.name);
            await migration.up(...args);
          },
        });
        const first = newStore();
        await Promise.all([
          first.open('notes', [noted(createEntries)]),
          first.open('notes', [noted(createEntries)]),
        ]);
        expect(ran).toEqual(['0001-entries']);
        await openNotes([noted(createEntries), noted(addColour)]);
        expect(ran).toEqual(['0001-entries', '0002-colour']);
      });

      it('of two plugins may have the same names', async () => {
        const store = newStore();
        await store.open('notes', [createEntries]);
        const other: Migration = {
          name: createEntries.name,
          up: (db) => db.schema.createTable('other_entries').addColumn('id', 'text').execute(),
        };
        const db = await store.open<{ other_entries: { id: string } }>('other', [other]);
        expect(await db.selectFrom('other_entries').selectAll().execute()).toEqual([]);
      });

      it('that fail leave nothing half done, say which they are, and run again once mended', async () => {
        const broken: Migration = {
          name: addColour.name,
          up: async (...args) => {
            await addColour.up(...args);
            throw new Error('the colour ran out');
          },
        };
        const store = newStore();
        await expect(store.open('notes', [createEntries, broken])).rejects.toMatchObject({
          code: 'NEXUS_STORE_UNAVAILABLE',
          message: 'Migration 0002-colour of plugin notes failed and was undone: the colour ran out',
        });
        await expect(store.open('notes', [createEntries, addColour])).resolves.toBeDefined();
      });

      it('of a newer version leave an older one working, running or begun again', async () => {
        const older = await openNotes([createEntries]);
        const newer = await openNotes([createEntries, addColour]);
        await older
          .insertInto('notes_entries')
          .values({ ...entry, id: 'a' })
          .execute();
        const begunAgain = await openNotes([createEntries]);
        await begunAgain
          .insertInto('notes_entries')
          .values({ ...entry, id: 'b' })
          .execute();
        const ids = newer.selectFrom('notes_entries').select('id').orderBy('id');
        expect(await ids.execute()).toEqual([{ id: 'a' }, { id: 'b' }]);
      });
    });

    describe('several processes', () => {
      it('race to migrate and to write, and each step and each write happens once', async () => {
        const jobs = Array.from({ length: 6 }, () =>
          runChild({ dataDir, databaseUrl, job: 'count', count: 25 }),
        );
        await Promise.all(jobs);
        const db = await openCounter();
        expect(await db.selectFrom('counter_totals').selectAll().execute()).toEqual([{ total: 150 }]);
        const events = db.selectFrom('counter_events').select(({ fn }) => fn.countAll().as('n'));
        expect(await events.execute()).toEqual([{ n: 150 }]);
      });
    });

    describe('the end', () => {
      it('may be asked for twice, also before anything was opened', async () => {
        const store = newStore();
        await store.close();
        await expect(store.close()).resolves.toBeUndefined();
      });

      it('makes a later open fail with the reason', async () => {
        const store = newStore();
        await store.open('notes', [createEntries]);
        await store.close();
        const late = store.open('notes', [createEntries]);
        await expect(late).rejects.toMatchObject({ code: 'NEXUS_SHUTTING_DOWN' });
      });

      it('keeps what was written for the next start', async () => {
        const store = newStore();
        const db = await store.open<Tables>('notes', [createEntries]);
        await db
          .insertInto('notes_entries')
          .values({ ...entry, id: 'kept' })
          .execute();
        await store.close();
        const next = await openNotes();
        expect(await next.selectFrom('notes_entries').select('id').execute()).toEqual([{ id: 'kept' }]);
      });
    });
  });
}
