import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createTokenBucket } from './token-bucket.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 });
});
afterEach(() => {
  vi.useRealTimers();
});

describe('a token bucket', () => {
  it('gives a burst at once, then says how long to wait', () => {
    const bucket = createTokenBucket({ perSecond: 2, burst: 3 });
    expect([bucket.take(), bucket.take(), bucket.take(), bucket.take()]).toEqual([0, 0, 0, 500]);
  });

  it('holds its word: after that wait there is one, and not before', () => {
    const bucket = createTokenBucket({ perSecond: 3, burst: 1 });
    bucket.take();
    vi.advanceTimersByTime(333);
    expect(bucket.take()).toBe(1);
    vi.advanceTimersByTime(1);
    expect(bucket.take()).toBe(0);
  });

  it('never holds more than the burst, however long it rests', () => {
    const bucket = createTokenBucket({ perSecond: 100, burst: 2 });
    vi.advanceTimersByTime(3_600_000);
    expect([bucket.take(), bucket.take(), bucket.take()]).toEqual([0, 0, 10]);
  });

  it('is not emptied by a clock that is set back', () => {
    const bucket = createTokenBucket({ perSecond: 1, burst: 2 });
    bucket.take();
    vi.setSystemTime(0);
    expect(bucket.take()).toBe(0);
  });
});
