import { ToolError } from '@nexus/plugin-sdk';

export interface RateLimit {
  /** Refill rate of the bucket. */
  readonly callsPerSecond: number;
  /** How many calls may come at once: the bucket's size. */
  readonly burst: number;
}

/** The calls one session may still make now. */
export interface TokenBucket {
  /** @throws {ToolError} NEXUS_RATE_LIMITED with `retryAfterMs` */
  take(): void;
}

export function createTokenBucket({ callsPerSecond, burst }: RateLimit): TokenBucket {
  let tokens = burst;
  let filledAt = Date.now();
  return {
    take() {
      const now = Date.now();
      // A clock that is set back must not empty the bucket.
      const elapsedMs = Math.max(0, now - filledAt);
      tokens = Math.min(burst, tokens + (elapsedMs / 1000) * callsPerSecond);
      filledAt = now;
      if (tokens < 1) {
        const retryAfterMs = Math.ceil(((1 - tokens) / callsPerSecond) * 1000);
        throw new ToolError(
          'NEXUS_RATE_LIMITED',
          `More than ${callsPerSecond} calls a second from this session; wait ${retryAfterMs} ms.`,
          { detail: { retryAfterMs } },
        );
      }
      tokens -= 1;
    },
  };
}
