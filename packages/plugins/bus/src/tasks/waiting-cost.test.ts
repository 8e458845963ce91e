import { randomUUID } from 'node:crypto';
import type { Store } from '@nexus/plugin-sdk';
import type { KyselyPlugin } from 'kysely';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type BusUnderTest, describeOnEach, nobody, startBus } from '../../test/bus-under-test.ts';
import { type Bus, busOptions, createBus } from '../bus.ts';
import { newId } from '../new-id.ts';
import { greetWorker } from '../workers.ts';
import { needsKey } from './needs.ts';
import { waitForTask } from './wait-for-task.ts';

const NOBODYS = 15_000;
const OTHERS = 5_000;
const POLLERS = 32;

/** How many statements it takes, which is what waiting costs; time would be the machine's. */
describeOnEach('20 000 tasks, 15 000 of them nobody’s', (place) => {
  let plugin: BusUnderTest;
  let bus: Bus;
  let statements: number;
  const name = () => bus.name;

  beforeEach(async () => {
    plugin = await startBus(place);
    const { store } = plugin.host;
    const counter: KyselyPlugin = {
      transformQuery({ node }) {
        statements += 1;
        return node;
      },
      transformResult: async ({ result }) => result,
    };
    const counted: Store = {
      ...store,
      open: async <Tables>(...asked: Parameters<Store['open']>) =>
        (await store.open<Tables>(...asked)).withPlugin(counter),
    };
    statements = 0;
    bus = await createBus(busOptions.parse({ name: randomUUID() }), {
      ...plugin.host,
      store: counted,
    }).open();
    await fill('nobody', NOBODYS);
    const first = await fill('blocker', 1);
    await fill('blocked', OTHERS - 1, first);
  });
  afterEach(() => plugin.stop());

  /** Tasks that need what is given; nobody has it. */
  async function fill(skill: string, count: number, blockedOn?: string): Promise<string> {
    let id = '';
    for (let from = 0; from < count; from += 500) {
      const rows = Array.from({ length: Math.min(500, count - from) }, () => {
        id = newId('task');
        return {
          ...{ bus: name(), id, title: skill, payload: 'null', priority: 2, status: 'queued' as const },
          ...{ attempts: 0, max_attempts: 3, timeout_ms: 300_000, available_at: 0, created_at: 0 },
          ...{ needs: needsKey([skill]), blocked_on: blockedOn ?? null },
        };
      });
      await bus.db.insertInto('bus_tasks').values(rows).execute();
    }
    return id;
  }

  function startPollers() {
    const callers = Array.from({ length: POLLERS }, () => new AbortController());
    const polls = callers.map(async ({ signal }, index) => {
      const { worker } = await greetWorker(bus, { name: `w${index}`, user: undefined });
      return waitForTask(bus, { worker, holder: nobody }, { until: Date.now() + 3_600_000, signal });
    });
    return {
      polls,
      async stop() {
        for (const caller of callers) caller.abort(new Error('enough'));
        await Promise.allSettled(polls);
      },
    };
  }

  /** Waits until nobody asks anything any more. */
  async function atRest(): Promise<number> {
    let before = -1;
    await vi.waitUntil(
      () => {
        const isSame = before === statements;
        before = statements;
        return isSame;
      },
      { interval: 500, timeout: 100_000 },
    );
    return before;
  }

  it('cost 32 pollers nothing while others submit what is not theirs', { timeout: 120_000 }, async () => {
    const { stop } = startPollers();
    const before = await atRest();
    expect(before).toBeGreaterThan(POLLERS);
    const kinds = 100;
    for (let each = 0; each < kinds; each += 1) bus.changes.announce({ needs: [needsKey(['nobody'])] });
    expect((await atRest()) - before).toBeLessThan(POLLERS);
    await stop();
  });

  it('cost one look for all of them at each turn', async () => {
    const { polls, stop } = startPollers();
    await atRest();
    const worker = await greetWorker(bus, { name: 'w0', user: undefined });
    const before = statements;
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], now: Date.now() });
    try {
      await vi.advanceTimersByTimeAsync(bus.options.lookAgainMs);
    } finally {
      vi.useRealTimers();
    }
    await atRest();
    expect(statements - before).toBeLessThan(POLLERS);
    expect(worker.isNew).toBe(false);
    // What is for one of them is found at once all the same.
    await bus.db
      .updateTable('bus_tasks')
      .set({ needs: needsKey([]) })
      .where('title', '=', 'blocker')
      .execute();
    bus.changes.announce({ needs: [needsKey([])] });
    expect(await Promise.race(polls)).toMatchObject({ title: 'blocker' });
    await stop();
  });
});
