import { getEventListeners } from 'node:events';
import { ToolError } from '@nexus/plugin-sdk';
import { expect, it, vi } from 'vitest';
import { machine } from '../ground.ts';
import { untilItAnswers } from './patience.ts';

it('waits in many places for a store that is away, which all end at once by one listener of their signal', async () => {
  const again = untilItAnswers({ ground: machine });
  const { signal, abort } = abortable();
  const away = () => Promise.reject(new ToolError('NEXUS_STORE_UNAVAILABLE', 'The store is away.'));
  const waits = Array.from({ length: 20 }, () => again(away, { signal }));
  const all = Promise.allSettled(waits);
  await new Promise((resolve) => setImmediate(resolve));
  expect(getEventListeners(signal, 'abort')).toHaveLength(1);
  const reason = new Error('nobody waits any more');
  abort(reason);
  for (const each of await all) expect(each).toEqual({ status: 'rejected', reason });
});

it('leaves nothing at the signal of a process that opens again and again', () => {
  const { signal: shutdown } = abortable();
  for (let count = 0; count < 20; count += 1) untilItAnswers({ ground: machine, shutdown });
  expect(getEventListeners(shutdown, 'abort').length).toBeLessThanOrEqual(1);
});

it('waits for no store that is away for good, but in the place of a run', async () => {
  const again = untilItAnswers({ ground: machine });
  const lost = new ToolError('NEXUS_STORE_UNAVAILABLE', 'It is lost.', { detail: { isForGood: true } });
  const tries = vi.fn(() => Promise.reject(lost));
  await expect(again(tries, {})).rejects.toBe(lost);
  expect(tries).toHaveBeenCalledTimes(1);
  const { signal, abort } = abortable();
  const standing = again(tries, { signal, forMs: Number.POSITIVE_INFINITY });
  await vi.waitFor(() => expect(tries.mock.calls.length).toBeGreaterThan(2));
  const reason = new Error('the process ends');
  abort(reason);
  await expect(standing).rejects.toBe(reason);
});

function abortable() {
  const controller = new AbortController();
  return { signal: controller.signal, abort: (reason: Error) => controller.abort(reason) };
}
