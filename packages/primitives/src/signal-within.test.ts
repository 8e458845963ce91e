import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { signalWithin } from './signal-within.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const time = { ms: 100, reason: () => new Error('late') };

it('fires when the time is over, with what that is ended with', () => {
  using signal = signalWithin(undefined, time);
  vi.advanceTimersByTime(99);
  expect(signal.aborted).toBe(false);
  vi.advanceTimersByTime(1);
  expect(signal.reason).toEqual(new Error('late'));
});

it('fires as another does, before or after it was joined', () => {
  const other = new AbortController();
  using signal = signalWithin(other.signal, time);
  other.abort('gone');
  using after = signalWithin(other.signal, time);
  vi.advanceTimersByTime(200);
  expect([signal.reason, after.reason]).toEqual(['gone', 'gone']);
});

it('fires no more and holds no timer once it is disposed of', () => {
  const other = new AbortController();
  const signal = signalWithin(other.signal, time);
  signal[Symbol.dispose]();
  expect(vi.getTimerCount()).toBe(0);
  other.abort('gone');
  expect(signal.aborted).toBe(false);
});
