import type { AskedQuestion } from '@nexus/plugin-sdk';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Client } from '../client/connect-to-nexus.ts';
import { resourceUpdates, untilAnswered } from './waiting.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const QUESTION = { runId: 'run_child', name: 'publish' } as AskedQuestion; // all that is compared

/** A server whose run asks until it is answered. */
function setUp() {
  let asks: readonly AskedQuestion[] = [QUESTION];
  const asked: [method: string, uri: unknown][] = [];
  const client: Client = {
    async request(method, params) {
      asked.push([method, params?.uri]);
      return { contents: [{ text: JSON.stringify({ asks }) }] };
    },
  };
  const updates = resourceUpdates();
  const end = new AbortController();
  const over = vi.fn();
  const waiting = untilAnswered(client, { runId: 'run_1', asks: [QUESTION], updates, signal: end.signal });
  waiting.then(over, over);
  const looks = () => asked.filter(([method]) => method === 'resources/read').length;
  return {
    updates,
    waiting,
    over,
    end,
    asked,
    looks,
    answer: () => {
      asks = [];
    },
  };
}

it('a run that waits for a person is looked at when its server says that it, or who asks, has changed', async () => {
  const { updates, waiting, over, asked, looks, answer } = setUp();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(asked.slice(0, 2)).toEqual([
    ['resources/subscribe', 'nexus://runs/run_1'],
    ['resources/subscribe', 'nexus://runs/run_child'],
  ]);
  expect(looks()).toBe(1);
  updates.heard('notifications/progress');
  updates.heard('notifications/resources/updated');
  await vi.advanceTimersByTimeAsync(0);
  expect([looks(), over.mock.calls.length]).toEqual([2, 0]);
  answer();
  updates.heard('notifications/resources/updated');
  await waiting;
});

it('and now and then without a word of it', async () => {
  const { waiting, looks, answer } = setUp();
  await vi.advanceTimersByTimeAsync(40_000);
  expect(looks()).toBe(3);
  answer();
  await vi.advanceTimersByTimeAsync(20_000);
  await waiting;
});

it('until whoever waits gives up', async () => {
  const { waiting, end } = setUp();
  await vi.advanceTimersByTimeAsync(0);
  const refused = expect(waiting).rejects.toThrow('enough');
  end.abort(new Error('enough'));
  await refused;
});
