import { executionAsyncId } from 'node:async_hooks';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type CounterTables, counterMigrations } from '../test/counter.ts';
import { createStore } from './index.ts';

/** Whether each promise has an id of its own, as where Node.js follows all of them. */
async function arePromisesFollowed(): Promise<boolean> {
  const idOfOne = () => Promise.resolve().then(() => executionAsyncId());
  const first = await idOfOne();
  return first !== (await idOfOne());
}

it('follows the promises of the process only while a transaction is open', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'nexus-store-'));
  const store = createStore({ projectId: 'test', dataDir });
  try {
    const db = await store.open<CounterTables>('counter', counterMigrations);
    expect(await arePromisesFollowed()).toBe(false);
    expect(await db.transaction().execute(arePromisesFollowed)).toBe(true);
    expect(await arePromisesFollowed()).toBe(false);
  } finally {
    await store.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
});
