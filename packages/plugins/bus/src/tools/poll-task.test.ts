import { randomUUID } from 'node:crypto';
import type { Store } from '@nexus/plugin-sdk';
import { startPlugin } from '@nexus/testing';
import type { KyselyPlugin } from 'kysely';
import { expect, it } from 'vitest';
import bus from '../index.ts';

const POLLERS = 32;
/** Of one part of one poll. */
const MOST_AT_A_STRETCH = 20;

it('lets others have their turns between the parts of each poll, however many begin and run out at once', async () => {
  const plugin = await startPlugin(bus, { options: { name: randomUUID() } });
  // On the embedded database each statement holds the thread: how many there are at a stretch is what another call waits for.
  let statements = 0;
  const counter: KyselyPlugin = {
    transformQuery({ node }) {
      statements += 1;
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  const store = plugin.host.store as { open: Store['open'] };
  const open = store.open.bind(store);
  store.open = async <Tables>(...asked: Parameters<Store['open']>) =>
    (await open<Tables>(...asked)).withPlugin(counter);
  try {
    const poll = (at: number, waitMs: number) =>
      plugin.answer<{ task: unknown }>('poll_task', { worker: `w${at}`, waitMs });
    for (let at = 0; at < POLLERS; at += 1) await poll(at, 0);
    await plugin.answer('submit_task', { title: 'x', payload: null, capabilities: ['nobody'] });

    let most = 0;
    let isOver = false;
    const from = statements;
    let before = statements;
    const turn = () => {
      most = Math.max(most, statements - before);
      before = statements;
      if (!isOver) setImmediate(turn);
    };
    turn();
    const polls = await Promise.all(Array.from({ length: POLLERS }, (_, at) => poll(at, 200)));
    isOver = true;
    turn();
    expect(polls.every(({ task }) => task === null)).toBe(true);
    expect(statements - from).toBeGreaterThan(POLLERS * 5);
    expect(most).toBeLessThanOrEqual(MOST_AT_A_STRETCH);
  } finally {
    await plugin.stop();
  }
});
