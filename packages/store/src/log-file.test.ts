import fs, { mkdtempSync, rmSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import Database from 'libsql';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type CounterTables, counterMigrations } from '../test/counter.ts';
import { createStore, type OpenStore } from './index.ts';

const disk = { waits: [] as (() => void)[], count: 0 };

let dataDir: string;
let store: OpenStore;
beforeEach(() => {
  const { fdatasyncSync } = fs;
  vi.spyOn(fs, 'fdatasyncSync').mockImplementation((descriptor) => {
    disk.count += 1;
    disk.waits.shift()?.();
    fdatasyncSync(descriptor);
  });
  // What imports it by its name has it too.
  syncBuiltinESMExports();
  dataDir = mkdtempSync(join(tmpdir(), 'nexus-log-'));
  store = createStore({ projectId: 'test', dataDir });
});
afterEach(async () => {
  disk.waits.length = 0;
  vi.restoreAllMocks();
  syncBuiltinESMExports();
  await store.close();
  rmSync(dataDir, { recursive: true, force: true });
});

async function opened() {
  const db = await store.open<CounterTables>('counter', counterMigrations);
  disk.count = 0;
  return db;
}

const five = { total: 5 };

it('lets other processes write while it waits for the disk', async () => {
  const db = await opened();
  const other = new Database(join(dataDir, 'nexus.sqlite'));
  let seen: unknown;
  disk.waits.push(() => {
    other.exec('begin immediate');
    seen = other.prepare('select total from counter_totals').get();
    other.exec('update counter_totals set total = total + 1');
    other.exec('commit');
  });
  await db.updateTable('counter_totals').set(five).execute();
  expect(seen).toMatchObject(five);
  expect(await db.selectFrom('counter_totals').select('total').execute()).toEqual([{ total: 6 }]);
  other.close();
});

it('waits for the disk once for all that a transaction has changed, before it is answered', async () => {
  const db = await opened();
  await db.transaction().execute(async (trx) => {
    await trx.updateTable('counter_totals').set(five).execute();
    await trx.updateTable('counter_totals').set(five).returning('total').execute();
    expect(disk.count).toBe(0);
  });
  expect(disk.count).toBe(1);
  await sql`update counter_totals set total = 6`.execute(db);
  expect(disk.count).toBe(2);
  await db.updateTable('counter_totals').set(five).returning('total').execute();
  expect(disk.count).toBe(3);
});

it('waits for none where nothing was changed', async () => {
  const db = await opened();
  await db.updateTable('counter_totals').set(five).where('total', '=', 99).execute();
  await db.updateTable('counter_totals').set(five).where('total', '=', 99).returning('total').execute();
  await db.transaction().execute((trx) => trx.selectFrom('counter_totals').selectAll().execute());
  const rolledBack = db.transaction().execute(async (trx) => {
    await trx.updateTable('counter_totals').set(five).execute();
    throw new Error('not so');
  });
  await expect(rolledBack).rejects.toThrow('not so');
  await db.transaction().execute((trx) => trx.selectFrom('counter_totals').selectAll().execute());
  expect(disk.count).toBe(0);
});

it('waits for none where a transaction asks for none, and the next one has the disk take both', async () => {
  const db = await opened();
  const left = db.transaction().execute(async (trx) => {
    await trx.updateTable('counter_totals').set(five).execute();
    await store.withoutDisk(trx);
  });
  await left;
  expect(disk.count).toBe(0);
  const other = new Database(join(dataDir, 'nexus.sqlite'));
  expect(other.prepare('select total from counter_totals').get()).toMatchObject(five);
  other.close();
  await db.updateTable('counter_totals').set({ total: 6 }).execute();
  expect(disk.count).toBe(1);
});

it('waits as ever after a transaction that asked for none was rolled back, and for what is no transaction', async () => {
  const db = await opened();
  const rolledBack = db.transaction().execute(async (trx) => {
    await trx.updateTable('counter_totals').set(five).execute();
    await store.withoutDisk(trx);
    throw new Error('not so');
  });
  await expect(rolledBack).rejects.toThrow('not so');
  await db.transaction().execute((trx) => trx.updateTable('counter_totals').set(five).execute());
  expect(disk.count).toBe(1);
  await expect(store.withoutDisk(db)).rejects.toThrow('Only a transaction');
});

it('says that nobody knows what is written where the disk does not take it', async () => {
  const db = await opened();
  disk.waits.push(() => {
    throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
  });
  const write = db.updateTable('counter_totals').set(five).execute();
  await expect(write).rejects.toMatchObject({
    code: 'NEXUS_STORE_UNAVAILABLE',
    message: expect.stringContaining('the disk reports an error'),
    detail: undefined,
  });
  await db.updateTable('counter_totals').set(five).execute();
});
