import { createTokenBucket, type RateLimit, type TokenBucket } from './rate-limit.ts';

/** What the policies remember of a session. Calls in flight hold it, so it may outlive the session. */
export interface SessionMemory {
  readonly bucket: TokenBucket;
  /** Names of the tools that succeeded. */
  readonly succeeded: Set<string>;
}

export function createSessionMemories(rateLimit: RateLimit) {
  const memories = new Map<string, SessionMemory>();
  return {
    of(sessionId: string): SessionMemory {
      const known = memories.get(sessionId);
      if (known) return known;
      const memory = { bucket: createTokenBucket(rateLimit), succeeded: new Set<string>() };
      memories.set(sessionId, memory);
      return memory;
    },
    forget(sessionId: string): void {
      memories.delete(sessionId);
    },
  };
}
