import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { holdLatest, redactText } from './index.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const token = (at: number) => `sesame-open-${at}`;
const isMasked = (at: number) => redactText(`say ${token(at)}`) === 'say ********';

it('masks the latest values, and those before for as long as they may be told late', () => {
  holdLatest('a file', [token(1)]);
  holdLatest('another', [token(9)]);
  vi.advanceTimersByTime(3_600_000);
  expect(isMasked(1)).toBe(true);
  holdLatest('a file', [token(2)]);
  expect([isMasked(1), isMasked(2)]).toEqual([true, true]);
  vi.advanceTimersByTime(3_600_000);
  expect([isMasked(1), isMasked(2), isMasked(9)]).toEqual([false, true, true]);
});

it('holds the same values once, however often they are read', () => {
  for (let read = 0; read < 3; read++) holdLatest('a third', [token(3), token(4)]);
  holdLatest('a third', [token(4)]);
  vi.advanceTimersByTime(3_600_000);
  expect([isMasked(3), isMasked(4)]).toEqual([false, true]);
});
