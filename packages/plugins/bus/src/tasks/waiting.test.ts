import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { Store } from '@nexus/plugin-sdk';
import type { KyselyPlugin } from 'kysely';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type BusUnderTest, describeOnEach, nobody, startBus } from '../../test/bus-under-test.ts';
import { busOptions, createBus } from '../bus.ts';
import { greetWorker } from '../workers.ts';
import { waitForTask } from './wait-for-task.ts';

describeOnEach('a waiting poll', (place) => {
  let bus: BusUnderTest;
  let name: string;
  beforeEach(() => {
    name = randomUUID();
  });
  afterEach(() => bus.stop());

  const waiting = (worker: string, signal?: AbortSignal) =>
    bus.call('poll_task', { worker, waitMs: 50_000 }, signal ? { signal } : {});

  describe('that looks again by itself only every ten seconds', () => {
    beforeEach(async () => {
      bus = await startBus({ ...place, options: { lookAgainMs: 10_000 } });
    });

    it('is woken by a submit in the same process', async () => {
      const poll = waiting('z.ai1');
      await bus.poll('other');
      const taskId = await bus.submit();
      expect((await poll).structuredContent).toMatchObject({ task: { taskId } });
    });

    it('is woken when the last dependency is done', async () => {
      const first = await bus.submit();
      const second = await bus.submit({ dependsOn: [first] });
      const { leaseId } = await bus.lease('z.ai1');
      const poll = waiting('z.ai2');
      await bus.poll('other');
      await bus.answer('complete_task', { leaseId, result: null });
      expect((await poll).structuredContent).toMatchObject({ task: { taskId: second } });
    });

    it('takes nothing once its caller has gone', async () => {
      const caller = new AbortController();
      const poll = waiting('gone', caller.signal);
      await bus.poll('other');
      caller.abort();
      expect((await poll).isError).toBe(true);
      const taskId = await bus.submit();
      expect(await bus.lease('z.ai1')).toMatchObject({ taskId, attempt: 1 });
    });
  });

  it('asks the database nothing meanwhile, nor do 31 others', async () => {
    bus = await startBus({ ...place, options: { name } });
    const { store } = bus.host;
    let queries = 0;
    const counter: KyselyPlugin = {
      transformQuery({ node }) {
        queries += 1;
        return node;
      },
      transformResult: async ({ result }) => result,
    };
    const counted: Store = {
      ...store,
      open: async <Tables>(...asked: Parameters<Store['open']>) =>
        (await store.open<Tables>(...asked)).withPlugin(counter),
    };
    const opened = await createBus(busOptions.parse({ name }), { ...bus.host, store: counted }).open();
    const callers = Array.from({ length: 32 }, () => new AbortController());
    const polls = callers.map(async ({ signal }, index) => {
      const { worker } = await greetWorker(opened, { name: `w${index}`, user: undefined });
      return waitForTask(opened, { worker, holder: nobody }, { until: Date.now() + 3_600_000, signal });
    });
    for (let before = -1; before !== queries; await setTimeout(300)) before = queries;
    const asked = queries;
    expect(asked).toBeGreaterThan(callers.length);
    await setTimeout(1_500);
    expect(queries - asked).toBeLessThan(callers.length);
    const taskId = await bus.submit();
    opened.changes.wake();
    expect(await Promise.race(polls)).toMatchObject({ id: taskId });
    for (const caller of callers) caller.abort(new Error('enough'));
    await Promise.allSettled(polls);
  });

  it('comes back for a message, from this process or another, and once for each', async () => {
    bus = await startBus({ ...place, options: { name } });
    const other = await startBus({ ...place, dataDir: bus.host.dataDir, options: { name } });
    for (const each of ['ann', 'ben']) await bus.answer('register_worker', { name: each });
    for (const [sender, unread] of [
      [bus, 1],
      [other, 2],
    ] as const) {
      const poll = waiting('ben');
      await sender.answer('send_message', { from: 'ann', to: 'ben', body: 'stop' });
      expect((await poll).structuredContent).toMatchObject({ task: null, unread });
    }
    const told = bus.answer('poll_task', { worker: 'ben', waitMs: 50_000 });
    const taskId = await bus.submit();
    expect(await told).toMatchObject({ task: { taskId }, unread: 2 });
    await bus.answer('fetch_inbox', { worker: 'ben', mark: 'read' });
    await bus.answer('send_message', { from: 'ann', to: 'ben', body: 'one more' });
    expect((await waiting('ben')).structuredContent).toMatchObject({ task: null, unread: 1 });
    await other.stop();
  });

  it('hears at once of a task from another process', async () => {
    bus = await startBus({ ...place, options: { name } });
    const { dataDir } = bus.host;
    const other = await startBus({ ...place, dataDir, options: { name } });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const poll = waiting('z.ai1');
      await setTimeout(500); // it has looked, and found nothing
      const taskId = await other.submit();
      expect((await poll).structuredContent).toMatchObject({ task: { taskId } });
    } finally {
      vi.useRealTimers();
      await other.stop();
    }
  });

  it('finds what nobody told of', async () => {
    bus = await startBus({ ...place, options: { name } });
    const { store } = bus.host;
    const deaf: Store = { ...store, listen: () => Promise.reject(new Error('nothing can be heard')) };
    const options = busOptions.parse({ name, lookAgainMs: 20 });
    const opened = await createBus(options, { ...bus.host, store: deaf }).open();
    const { worker } = await greetWorker(opened, { name: 'z.ai1', user: undefined });
    const { signal } = new AbortController();
    const taken = waitForTask(opened, { worker, holder: nobody }, { until: Date.now() + 50_000, signal });
    const taskId = await bus.submit();
    expect(await taken).toMatchObject({ id: taskId });
  });

  it('finds what another process submitted, and leases that ran out', async () => {
    bus = await startBus({ ...place, options: { name, backoffMs: 0 } });
    const { dataDir } = bus.host;
    const other = await startBus({ ...place, dataDir, options: { name } });
    const poll = waiting('z.ai1');
    const taskId = await other.submit({ timeoutMs: 100 });
    expect((await poll).structuredContent).toMatchObject({ task: { taskId, attempt: 1 } });
    expect((await waiting('z.ai2')).structuredContent).toMatchObject({ task: { taskId, attempt: 2 } });
    await bus.answer('reset_worker', { worker: 'z.ai2' });
    await bus.answer('complete_task', { leaseId: (await bus.lease()).leaseId, result: null });
    await other.stop();
  });

  it('ends with a hint when to come again', async () => {
    bus = await startBus(place);
    await bus.answer('register_worker', { name: 'z.ai1' });
    expect(await bus.answer('poll_task', { worker: 'z.ai1', waitMs: 20 })).toEqual({
      task: null,
      retryAfterMs: 5_000,
      unread: 0,
    });
  });
});
