import { afterEach, expect, it, vi } from 'vitest';
import { createEarlyCancels } from './early-cancels.ts';

afterEach(() => void vi.useRealTimers());

it('knows a cancel of a request that comes with it or soon after', () => {
  vi.useFakeTimers();
  const early = createEarlyCancels();
  const cameAtMs = performance.now();
  vi.advanceTimersByTime(60_000);
  early.add(1);
  expect(early.has(1, cameAtMs)).toBe(true);
  expect(early.has('1', cameAtMs)).toBe(false);
  expect(early.has(2, cameAtMs)).toBe(false);
  vi.advanceTimersByTime(5_000);
  expect(early.has(1, performance.now())).toBe(true);
  vi.advanceTimersByTime(1);
  expect(early.has(1, performance.now())).toBe(false);
});

it('takes no cancel of a request that has ended for one of the next by its id', () => {
  const early = createEarlyCancels();
  early.ended(1);
  early.add(1);
  expect(early.has(1, performance.now())).toBe(false);
});

it('remembers the latest 256', () => {
  const early = createEarlyCancels();
  for (let id = 0; id < 300; id += 1) early.add(id);
  const has = (id: number) => early.has(id, performance.now());
  expect([has(43), has(44), has(299)]).toEqual([false, true, true]);
});

it('remembers nothing that is no id of a usual length', () => {
  const early = createEarlyCancels();
  const ids = ['x'.repeat(257), { length: 1 } as never];
  for (const id of ids) early.add(id);
  expect(ids.map((id) => early.has(id, performance.now()))).toEqual([false, false]);
});
