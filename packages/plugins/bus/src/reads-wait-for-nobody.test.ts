import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPlugin } from '@nexus/testing';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type BusUnderTest, startBus } from '../test/bus-under-test.ts';
import bus from './index.ts';

let dataDir: string;
let other: BusUnderTest;
let here: BusUnderTest;
let release: () => Promise<void>;
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'nexus-bus-'));
  release = async () => {};
  other = await startBus({ dataDir });
  here = await startBus({ dataDir });
});
afterEach(async () => {
  await release();
  await here.stop();
  await other.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

/** As another process would have it. */
async function holdWriteLock(): Promise<void> {
  const db = await other.host.store.open('doctor', []);
  let free = () => {};
  const freed = new Promise<void>((resolve) => {
    free = resolve;
  });
  let held = Promise.resolve<unknown>(undefined);
  await new Promise<void>((locked) => {
    held = db.transaction().execute(async (trx) => {
      await sql`create table if not exists held (id integer)`.execute(trx);
      locked();
      await freed;
    });
  });
  release = async () => {
    free();
    await held;
  };
}

const text = (result: Awaited<ReturnType<BusUnderTest['call']>>) => result.content[0]?.text ?? '';

it('a bus that nobody has used is read while another process writes, and has nothing on it', async () => {
  await holdWriteLock();
  const started = performance.now();
  expect(await here.answer('bus_status')).toMatchObject({
    workers: { total: 0 },
    reservations: { total: 0 },
  });
  expect(await here.answer('task_status')).toMatchObject({ tasks: [], total: 0 });
  expect(text(await here.call('task_status', { taskId: 'task_1' }))).toContain('No task "task_1"');
  expect(text(await here.call('query_task_state', { taskId: 'task_1' }))).toContain('No task "task_1"');
  expect(text(await here.call('fetch_inbox', { worker: 'ann', view: 'all' }))).toContain('not registered');
  const write = here.answer('submit_task', { title: 'first', payload: null });
  // Nor for what its own process is about to make.
  expect(await here.answer('task_status')).toMatchObject({ tasks: [], total: 0 });
  expect(performance.now() - started).toBeLessThan(10_000);
  await release();
  const { taskId } = (await write) as { taskId: string };
  expect(await here.answer('task_status')).toMatchObject({ tasks: [{ taskId }] });
});

it('a bus in use is read while another process writes, what was received too, and marks nothing', async () => {
  const used = await startPlugin(bus, { dataDir, options: { name: 'one' } });
  for (const name of ['ann', 'ben']) await used.answer('register_worker', { name });
  await used.answer('send_message', { from: 'ben', to: 'ann', body: 'hello' });
  await used.answer('fetch_inbox', { worker: 'ann' });
  await used.answer('poll_task', { worker: 'ann' }, { sessionId: 'another' });
  await holdWriteLock();
  const started = performance.now();
  for (const view of ['all', 'sent']) {
    expect(await used.answer('fetch_inbox', { worker: 'ann', view })).toHaveProperty('messages');
  }
  expect(await used.answer('bus_status')).toMatchObject({ workers: { total: 2 } });
  expect(performance.now() - started).toBeLessThan(10_000);
  await release();
  const { messages } = await used.answer<{ messages: object[] }>('fetch_inbox', {
    ...{ worker: 'ann', view: 'all' },
  });
  expect(messages).toMatchObject([{ recipients: [{ worker: 'ann', state: 'delivered' }] }]);
  await used.stop();
});
