import { ToolError } from '@nexus/plugin-sdk';
import { createTokenBucket } from '@nexus/primitives';

export interface RateLimit {
  /** Refill rate of the bucket. */
  readonly callsPerSecond: number;
  /** How many calls may come at once: the bucket's size. */
  readonly burst: number;
}

/** The calls one session may still make now. */
export interface CallRate {
  /** @throws {ToolError} NEXUS_RATE_LIMITED with `retryAfterMs` */
  take(): void;
}

export function createCallRate({ callsPerSecond, burst }: RateLimit): CallRate {
  const bucket = createTokenBucket({ burst, perSecond: callsPerSecond });
  return {
    take() {
      const retryAfterMs = bucket.take();
      if (retryAfterMs === 0) return;
      const text = `More than ${callsPerSecond} calls a second from this session; wait ${retryAfterMs} ms.`;
      throw new ToolError('NEXUS_RATE_LIMITED', text, { detail: { retryAfterMs } });
    },
  };
}
