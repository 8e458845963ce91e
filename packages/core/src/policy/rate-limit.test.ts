import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createTokenBucket } from './rate-limit.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 });
});
afterEach(() => {
  vi.useRealTimers();
});

describe('a token bucket', () => {
  it('takes a burst at once, then says how long to wait', () => {
    const bucket = createTokenBucket({ callsPerSecond: 2, burst: 3 });
    for (let call = 0; call < 3; call++) bucket.take();
    expect(() => bucket.take()).toThrow(
      expect.objectContaining({ code: 'NEXUS_RATE_LIMITED', detail: { retryAfterMs: 500 } }),
    );
  });

  it('holds its word: after that wait the call passes, and not before', () => {
    const bucket = createTokenBucket({ callsPerSecond: 3, burst: 1 });
    bucket.take();
    vi.advanceTimersByTime(333);
    expect(() => bucket.take()).toThrow(expect.objectContaining({ detail: { retryAfterMs: 1 } }));
    vi.advanceTimersByTime(1);
    expect(() => bucket.take()).not.toThrow();
  });

  it('never holds more than the burst, however long it rests', () => {
    const bucket = createTokenBucket({ callsPerSecond: 100, burst: 2 });
    vi.advanceTimersByTime(3_600_000);
    bucket.take();
    bucket.take();
    expect(() => bucket.take()).toThrow();
  });

  it('is not emptied by a clock that is set back', () => {
    const bucket = createTokenBucket({ callsPerSecond: 1, burst: 2 });
    bucket.take();
    vi.setSystemTime(0);
    expect(() => bucket.take()).not.toThrow();
  });
});
