import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AnyDatabase, Retention, Swept } from '@nexus/plugin-sdk';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createStore, type OpenStore } from '../store.ts';
import { type RetentionSettings, SWEEP_EVERY_MS, sweepOnce, tablesOf } from './sweep.ts';

const DAY_MS = 86_400_000;
const NOW = 1_800_000_000_000;
let clock = NOW;
const dataDir = mkdtempSync(join(tmpdir(), 'nexus-sweep-'));
const opened = createStore({ projectId: 'rules', dataDir, testClock: () => clock });
/** How often the disk was given back. */
let shrunk = 0;
const store: OpenStore = Object.create(opened, {
  shrink: {
    value: async () => {
      shrunk += 1;
    },
  },
});
let db: AnyDatabase;

beforeAll(async () => {
  db = await opened.open('shop', [
    {
      name: '0001-shop',
      async up(trx) {
        for (const table of ['shop_orders', 'shop_notes']) {
          await trx.schema
            .createTable(table)
            .addColumn('id', 'integer', (column) => column.primaryKey())
            .addColumn('code', 'text')
            .addColumn('at', 'bigint')
            .execute();
        }
        for (const table of ['shop_items', 'shop_bills']) {
          await trx.schema.createTable(table).addColumn('of', 'text').execute();
        }
      },
    },
  ]);
});
afterAll(async () => {
  await opened.close();
  rmSync(dataDir, { recursive: true });
});
beforeEach(async () => {
  for (const table of ['shop_orders', 'shop_notes', 'shop_items', 'shop_bills']) {
    await db.deleteFrom(table).execute();
  }
  clock += 2 * SWEEP_EVERY_MS;
  shrunk = 0;
});

const orders: Swept = { table: 'shop_orders', holds: 'orders', age: 'at', days: 10 };
const sweep = (retention: readonly Retention[], settings?: RetentionSettings) =>
  sweepOnce({ store, retention, ...(settings && { settings }) });
/** Rows by their ids, each as many milliseconds old as is said; without an age, where that is null. */
const add = (ages: Readonly<Record<number, number | null>>, table = 'shop_orders') =>
  db
    .insertInto(table)
    .values(
      Object.entries(ages).map(([id, age]) => ({
        ...{ id: Number(id), code: `code ${id}`, at: age === null ? null : clock - age },
      })),
    )
    .execute();
const left = async (table = 'shop_orders') =>
  (await db.selectFrom(table).select('id').orderBy('id').execute()).map(({ id }) => id);

describe('of rows there go', () => {
  it('those that are as old as is said, and none that is younger or without an age', async () => {
    await add({ 1: 10 * DAY_MS, 2: 10 * DAY_MS - 1, 3: 11 * DAY_MS, 4: null });
    expect(await sweep([orders])).toEqual({ shop_orders: 2 });
    expect(await left()).toEqual([2, 4]);
  });

  it('no more than are too many, the oldest first, counting none without an age', async () => {
    await add({ 1: 10, 2: 40, 3: 20, 4: 30, 5: null, 6: null });
    expect(await sweep([{ ...orders, rows: 2 }])).toEqual({ shop_orders: 2 });
    expect(await left()).toEqual([1, 3, 5, 6]);
  });

  it('none where there are as many as may be or fewer, and all where none may be', async () => {
    await add({ 1: 10, 2: 20 });
    expect(await sweep([{ ...orders, rows: 5 }])).toEqual({});
    clock += SWEEP_EVERY_MS;
    expect(await sweep([{ ...orders, rows: 2 }])).toEqual({});
    clock += SWEEP_EVERY_MS;
    expect(await sweep([{ ...orders, rows: 0 }])).toEqual({ shop_orders: 2 });
  });

  it('all that are too many, however many', async () => {
    await add(Object.fromEntries(Array.from({ length: 450 }, (_, id) => [id, id])));
    expect(await sweep([{ ...orders, rows: 3 }])).toEqual({ shop_orders: 447 });
    expect(await left()).toEqual([0, 1, 2]);
  });

  it('all that are too old, also where they are just as many as are taken at once', async () => {
    await add(Object.fromEntries(Array.from({ length: 400 }, (_, id) => [id, 11 * DAY_MS])));
    expect(await sweep([orders])).toEqual({ shop_orders: 400 });
  });

  it('those alone of which it is said, by their age and by their number', async () => {
    await add({ 1: 20 * DAY_MS, 2: 20 * DAY_MS, 3: 5, 4: 6, 5: 7 });
    const some = { ...orders, rows: 1, only: 'id = 2 or id > 3' };
    expect(await sweep([some])).toEqual({ shop_orders: 2 });
    expect(await left()).toEqual([1, 3, 4]);
  });

  it('what the config says in the place of what is stated, each of both', async () => {
    const stated = { ...orders, rows: 3 };
    await add({ 1: 3 * DAY_MS, 2: 2 * DAY_MS, 3: 1, 4: 2, 5: 3 });
    expect(await sweep([stated], { shop_orders: { days: 3 }, shop_notes: { rows: 0 } })).toEqual({
      shop_orders: 2,
    });
    expect(await left()).toEqual([3, 4, 5]);
    clock += SWEEP_EVERY_MS;
    expect(await sweep([stated], { shop_orders: { rows: 1 } })).toEqual({ shop_orders: 2 });
    expect(await left()).toEqual([3]);
  });
});

describe('of tables there are swept', () => {
  it('those that state an age and are there, each counted whatever is said of it', async () => {
    await add({ 1: 11 * DAY_MS, 2: 11 * DAY_MS, 3: 1 });
    await add({ 1: 11 * DAY_MS }, 'shop_notes');
    const gone = await sweep([
      { ...orders, only: 'id = 1' },
      { table: 'shop_notes', holds: 'notes', kept: 'for ever', age: 'at' },
      { table: 'shop_none', holds: 'a table that this version has not', age: 'at', days: 1 },
      { ...orders, only: 'id = 2' },
    ]);
    expect(gone).toEqual({ shop_orders: 2 });
    expect([await left(), await left('shop_notes')]).toEqual([[3], [1]]);
  });

  it('none that nothing is said of, and the database’s own are none', async () => {
    expect(await sweep([])).toEqual({});
    const there = await tablesOf(db, 'sqlite');
    expect([there.has('shop_orders'), there.has('sweeps_done'), there.has('none')]).toEqual([
      true,
      true,
      false,
    ]);
    expect([...there].filter((name) => name.startsWith('sqlite_'))).toEqual([]);
  });
});

it('takes with a row its parts in every table that there is, by whichever column names it', async () => {
  await add({ 1: 11 * DAY_MS, 2: 11 * DAY_MS, 3: 1 });
  for (const [table, of] of [
    ['shop_items', ['1', '1', '2', '3']],
    ['shop_bills', ['code 1', 'code 3', '2']],
  ] as const) {
    await db
      .insertInto(table)
      .values(of.map((each) => ({ of: each })))
      .execute();
  }
  const part = { holds: 'parts', by: 'of', of: 'id' };
  await sweep([
    {
      ...orders,
      parts: [
        { ...part, table: 'shop_items' },
        { ...part, table: 'shop_bills', by: { sqlite: 'of', postgres: 'none' }, of: 'code' },
        { ...part, table: 'shop_none' },
      ],
    },
  ]);
  const partsIn = async (table: string) =>
    (await db.selectFrom(table).select('of').execute()).map(({ of }) => of);
  expect(await left()).toEqual([3]);
  expect([await partsIn('shop_items'), await partsIn('shop_bills')]).toEqual([['3'], ['code 3', '2']]);
});

it('is done once in an hour, whatever is to be taken, and gives the disk back after it', async () => {
  expect(await sweep([orders])).toEqual({});
  expect(shrunk).toBe(1);
  await add({ 1: 11 * DAY_MS });
  clock += SWEEP_EVERY_MS - 1;
  expect(await sweep([orders])).toBeUndefined();
  expect([await left(), shrunk]).toEqual([[1], 1]);
  clock += 1;
  expect(await sweep([orders])).toEqual({ shop_orders: 1 });
  expect(shrunk).toBe(2);
});

it('makes its table once, whichever version opens the store', async () => {
  await sweep([]);
  const later = createStore({ projectId: 'rules', dataDir });
  const up = () => Promise.reject(new Error('made a second time'));
  await expect(later.open('sweeps', [{ name: '0001-sweeps', up }])).resolves.toBeDefined();
  await later.close();
});
