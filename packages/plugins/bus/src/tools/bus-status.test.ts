import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type BusUnderTest, describeOnEach, startBus } from '../../test/bus-under-test.ts';

interface List {
  readonly total: number;
  readonly items: readonly Record<string, unknown>[];
}

type Status = Record<'workers' | 'unmet' | 'deadLetters' | 'reservations', List>;

describeOnEach('the status of the bus', (place) => {
  let bus: BusUnderTest;
  beforeEach(async () => {
    bus = await startBus(place);
  });
  afterEach(() => bus.stop());
  const status = (page: Record<string, unknown>) => bus.answer<Status>('bus_status', page);

  it('gives each list page by page: every item once, and always the total', async () => {
    for (let at = 0; at < 5; at += 1) {
      await bus.answer('register_worker', { name: `worker-${at}` });
      await bus.answer('reserve_files', { worker: 'worker-0', globs: [`src/${at}.ts`] });
      await bus.submit({ maxAttempts: 1 });
      const { leaseId } = await bus.lease('worker-0');
      await bus.answer('fail_task', { leaseId, reason: `no ${at}` });
    }
    for (let at = 0; at < 5; at += 1) await bus.submit({ capabilities: [`skill-${at}`] });
    const pages = [];
    for (const offset of [0, 2, 4]) pages.push(await status({ limit: 2, offset }));
    const keys = { workers: 'name', unmet: 'needs', deadLetters: 'taskId', reservations: 'glob' } as const;
    for (const [list, key] of Object.entries(keys) as [keyof Status, string][]) {
      expect(pages.map((page) => page[list].total)).toEqual([5, 5, 5]);
      expect(pages.map((page) => page[list].items.length)).toEqual([2, 2, 1]);
      const items = pages.flatMap((page) => page[list].items.map((item) => JSON.stringify(item[key])));
      expect(new Set(items).size).toBe(5);
    }
    expect((await status({ offset: 5 })).workers).toEqual({ total: 5, items: [] });
  });

  it('has workers with unread messages first, then those at work, however long ago they were seen', async () => {
    for (const name of ['reader', 'holder', 'both', 'idle', 'newest']) {
      await bus.answer('register_worker', { name });
    }
    for (const to of ['reader', 'both']) {
      await bus.answer('send_message', { from: 'newest', to, body: 'x' });
    }
    for (const worker of ['holder', 'both']) {
      await bus.submit();
      await bus.lease(worker);
    }
    await bus.answer('register_worker', { name: 'idle' });
    await sleep(5); // they are told apart by the millisecond
    await bus.answer('register_worker', { name: 'newest' });
    const { workers } = await status({});
    expect(workers.items.map(({ name }) => name)).toEqual(['both', 'reader', 'holder', 'newest', 'idle']);
    expect(workers.items.map(({ unread }) => unread)).toEqual([1, 1, 0, 0, 0]);
    expect((await status({ limit: 1 })).workers.items[0]).toMatchObject({ name: 'both', unread: 1 });
  });

  it('counts the leases of a worker beyond those listed', async () => {
    for (let at = 0; at < 3; at += 1) {
      await bus.submit();
      await bus.lease('ann');
    }
    const [ann] = (await status({ limit: 2 })).workers.items;
    expect(ann).toMatchObject({ leases: [{}, {}], leasesTotal: 3 });
    expect((await status({})).workers.items[0]).not.toHaveProperty('leasesTotal');
  });
});
