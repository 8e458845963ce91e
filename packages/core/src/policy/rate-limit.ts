import { ToolError } from '@nexus/plugin-sdk';

export interface RateLimit {
  /** Refill rate of the bucket. */
  readonly callsPerSecond: number;
  /** How many calls may come at once: the bucket's size. */
  readonly burst: number;
}

/** One token bucket a session. */
export function createRateLimiter({ callsPerSecond, burst }: RateLimit) {
  const buckets = new Map<string, { tokens: number; at: number }>();
  return {
    /** @throws {ToolError} NEXUS_RATE_LIMITED with `retryAfterMs` */
    take(sessionId: string): void {
      const now = Date.now();
      const bucket = buckets.get(sessionId) ?? { tokens: burst, at: now };
      const tokens = Math.min(burst, bucket.tokens + ((now - bucket.at) / 1000) * callsPerSecond);
      if (tokens < 1) {
        buckets.set(sessionId, { tokens, at: now });
        const retryAfterMs = Math.ceil(((1 - tokens) / callsPerSecond) * 1000);
        throw new ToolError(
          'NEXUS_RATE_LIMITED',
          `More than ${callsPerSecond} calls a second from this session; wait ${retryAfterMs} ms.`,
          { detail: { retryAfterMs } },
        );
      }
      buckets.set(sessionId, { tokens: tokens - 1, at: now });
    },
    forget(sessionId: string): void {
      buckets.delete(sessionId);
    },
  };
}
