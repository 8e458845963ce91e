import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AnyDatabase, Retention } from '@nexus/plugin-sdk';
import Database from 'libsql';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findPostgres } from '../../test/find-postgres.ts';
import { type PostgresServer, startPostgres } from '../../test/postgres-server.ts';
import { createStore, type OpenStore } from '../store.ts';
import { measureDatabase } from './measure.ts';
import { SWEEP_EVERY_MS, sweepOnce } from './sweep.ts';

const DAY_MS = 86_400_000;
const binaries = findPostgres();
let postgres: PostgresServer | undefined;
beforeAll(async () => {
  postgres = binaries === undefined ? undefined : await startPostgres(binaries);
});
afterAll(() => postgres?.stop());

const retention: readonly Retention[] = [
  {
    table: 'shop_orders',
    holds: 'orders',
    age: 'at',
    days: 10,
    rows: 5,
    only: `state <> 'open'`,
    parts: [{ table: 'shop_items', holds: 'items', by: 'order_id', of: 'id' }],
  },
  { table: 'shop_rules', holds: 'rules', kept: 'one row' },
  { table: 'shop_gone', holds: 'a table that this version has not', age: 'at', days: 1 },
];

describe.each(binaries ? ['SQLite', 'Postgres'] : ['SQLite'])('what is swept, on %s', (name) => {
  let clock = 0;
  let dataDir: string;
  let stores: OpenStore[];
  let db: AnyDatabase;

  beforeEach(async () => {
    clock = Date.now();
    dataDir = mkdtempSync(join(tmpdir(), 'nexus-sweep-'));
    const databaseUrl = name === 'Postgres' ? await postgres?.createSchema() : undefined;
    const location = { projectId: `sweep-${Date.now()}`, dataDir, databaseUrl, testClock: () => clock };
    stores = [createStore(location), createStore(location)];
    db = await (stores[0] as OpenStore).open('shop', [
      {
        name: '0001-shop',
        async up(trx) {
          await trx.schema
            .createTable('shop_orders')
            .addColumn('id', 'text', (column) => column.primaryKey())
            .addColumn('state', 'text', (column) => column.notNull())
            .addColumn('at', 'bigint')
            .addColumn('text', 'text')
            .execute();
          await trx.schema.createTable('shop_items').addColumn('order_id', 'text').execute();
          await trx.schema.createTable('shop_rules').addColumn('id', 'text').execute();
        },
      },
    ]);
  });
  afterEach(async () => {
    await Promise.all(stores.map((store) => store.close()));
    rmSync(dataDir, { recursive: true });
  });

  async function add(id: string, ageDays: number, state = 'done') {
    await db
      .insertInto('shop_orders')
      .values({ id, state, at: clock - ageDays * DAY_MS, text: 'x' })
      .execute();
    await db.insertInto('shop_items').values({ order_id: id }).execute();
  }
  const left = async () => {
    const orders = await db.selectFrom('shop_orders').select('id').orderBy('id').execute();
    const items = await db.selectFrom('shop_items').select('order_id').orderBy('order_id').execute();
    expect(items.map(({ order_id }) => order_id)).toEqual(orders.map(({ id }) => id));
    return orders.map(({ id }) => id);
  };
  const sweep = (server = 0, settings = {}) =>
    sweepOnce({ store: stores[server] as OpenStore, retention, settings });

  it('is too old, with its parts, however much of it there is; what waits stays', async () => {
    for (let n = 0; n < 450; n += 1) await add(`old-${n}`, 11);
    await add('open', 400, 'open');
    await add('new', 9);
    expect(await sweep()).toEqual({ shop_orders: 450 });
    expect(await left()).toEqual(['new', 'open']);
  });

  it('is the oldest of too many', async () => {
    for (let n = 0; n < 8; n += 1) await add(`n${n}`, 8 - n);
    await add('open', 400, 'open');
    expect(await sweep()).toEqual({ shop_orders: 3 });
    expect(await left()).toEqual(['n3', 'n4', 'n5', 'n6', 'n7', 'open']);
  });

  it('is what the config says', async () => {
    await add('a', 3);
    await add('b', 1);
    await sweep(0, { shop_orders: { days: 2 } });
    expect(await left()).toEqual(['b']);
  });

  it('is taken by one of several servers, once in an hour', async () => {
    expect((await Promise.all([sweep(0), sweep(1)])).filter((gone) => gone !== undefined)).toHaveLength(1);
    await add('old', 20);
    expect(await sweep(1)).toBeUndefined();
    expect(await left()).toEqual(['old']);
    clock += SWEEP_EVERY_MS;
    expect(await sweep(1)).toEqual({ shop_orders: 1 });
  });

  it.runIf(name === 'Postgres')('is left to whoever has it in hand', async () => {
    await add('held', 20);
    await add('old', 20);
    let letGo = () => {};
    const swept = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    let holding = Promise.resolve();
    await new Promise<void>((isHeld) => {
      holding = db.transaction().execute(async (trx) => {
        await trx.selectFrom('shop_orders').selectAll().where('id', '=', 'held').forUpdate().execute();
        isHeld();
        await swept;
      });
    });
    expect(await sweep(0, { shop_orders: { rows: 0 } })).toEqual({ shop_orders: 1 });
    letGo();
    await holding;
    expect(await left()).toEqual(['held']);
  });

  it('can be measured', async () => {
    await add('old', 20);
    const { bytes, tables } = await measureDatabase(stores[0] as OpenStore, retention);
    expect(bytes).toBeGreaterThan(1_000);
    expect(tables).toContainEqual({ table: 'shop_orders', rows: 1, oldestAt: clock - 20 * DAY_MS });
    expect(tables).toContainEqual({ table: 'shop_rules', rows: 0 });
  });

  it.runIf(name === 'SQLite')('gives the disk back, in a file that was there before too', async () => {
    const file = join(dataDir, 'nexus.sqlite');
    const size = () => statSync(file).size;
    const fill = async (id: string) => {
      for (let n = 0; n < 20; n += 1) {
        const row = { id: `${id}-${n}`, state: 'done', at: clock - 20 * DAY_MS, text: 'x'.repeat(1_000_000) };
        await db.insertInto('shop_orders').values(row).execute();
      }
    };
    await fill('new file');
    await sweep();
    expect(size()).toBeLessThan(2_000_000);
    expect(existsSync(`${file}-wal`) ? statSync(`${file}-wal`).size : 0).toBe(0);
    // As a file was made before it could shrink.
    await Promise.all(stores.map((store) => store.close()));
    const former = new Database(file);
    former.exec('pragma auto_vacuum = 0');
    former.exec('vacuum');
    former.close();
    const location = { projectId: 'sweep', dataDir, testClock: () => clock };
    stores = [createStore(location)];
    db = await (stores[0] as OpenStore).open('shop', []);
    await fill('former file');
    clock += SWEEP_EVERY_MS;
    expect(size()).toBeGreaterThan(2_000_000);
    await sweep();
    expect(size()).toBeLessThan(2_000_000);
  });
});
