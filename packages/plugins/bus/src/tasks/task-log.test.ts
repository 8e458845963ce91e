import { type PluginUnderTest, startPlugin } from '@nexus/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import bus from '../index.ts';

let plugin: PluginUnderTest;
beforeAll(async () => {
  plugin = await startPlugin(bus);
  for (const name of ['ann', 'bob']) await plugin.answer('register_worker', { name });
});
afterAll(() => plugin.stop());

async function lease(worker: string): Promise<string> {
  const { task } = await plugin.answer<{ task: { leaseId: string } }>('poll_task', { worker });
  return task.leaseId;
}

it('tells each lease of a task, how it ended and why, in their order', async () => {
  const { taskId } = await plugin.answer<{ taskId: string }>('submit_task', {
    title: 'Paint',
    payload: {},
    maxAttempts: 2,
  });
  const first = await lease('ann');
  await plugin.answer('ack_task', { leaseId: first });
  const held = await plugin.answer<{ events: { state: string }[] }>('query_task_state', { taskId });
  expect(held.events.map(({ state }) => state)).toEqual(['submitted', 'leased', 'acked']);
  await plugin.answer('fail_task', { leaseId: first, reason: 'no paint', retry: false });
  const dead = await plugin.answer<{ status: string; events: object[] }>('query_task_state', { taskId });
  expect(dead.status).toBe('dead');
  expect(dead.events.slice(0, 3)).toMatchObject([
    { state: 'submitted' },
    { state: 'leased', worker: 'ann' },
    { state: 'failed', worker: 'ann', reason: 'no paint' },
  ]);
  await plugin.answer('retry_task', { taskId });
  await plugin.answer('complete_task', { leaseId: await lease('bob'), result: 'painted' });
  const done = await plugin.answer<{ status: string; events: object[] }>('query_task_state', { taskId });
  expect(done.status).toBe('done');
  expect(done.events.slice(-2)).toMatchObject([
    { state: 'leased', worker: 'bob' },
    { state: 'done', worker: 'bob' },
  ]);
});

it('knows no task of another name', async () => {
  const refused = await plugin.call('query_task_state', { taskId: 'job_1' });
  expect(refused).toMatchObject({ isError: true, _meta: { 'nexus/error': { code: 'NEXUS_NOT_FOUND' } } });
});
