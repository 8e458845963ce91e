import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createCallRate } from './rate-limit.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 });
});
afterEach(() => {
  vi.useRealTimers();
});

describe('the rate of a session’s calls', () => {
  it('lets a burst through at once, then says how long to wait, and holds its word', () => {
    const rate = createCallRate({ callsPerSecond: 2, burst: 3 });
    for (let call = 0; call < 3; call++) rate.take();
    const detail = { retryAfterMs: 500 };
    expect(() => rate.take()).toThrow(
      expect.objectContaining({
        code: 'NEXUS_RATE_LIMITED',
        message: 'More than 2 calls a second from this session; wait 500 ms.',
        detail,
      }),
    );
    vi.advanceTimersByTime(500);
    expect(() => rate.take()).not.toThrow();
    expect(() => rate.take()).toThrow();
  });
});
