import { createInFlight, type InFlight, type InFlightLimit } from './in-flight.ts';
import { createTokenBucket, type RateLimit, type TokenBucket } from './rate-limit.ts';

/** What one session may ask of the server. */
export type SessionLimits = RateLimit & InFlightLimit;

/** What the policies remember of a session. Calls in flight hold it, so it may outlive the session. */
export interface SessionMemory {
  readonly bucket: TokenBucket;
  readonly inFlight: InFlight;
  /** Names of the tools that succeeded. */
  readonly succeeded: Set<string>;
  /** Names of the tools whose long budget the session's client was warned of. */
  readonly warnedOf: Set<string>;
}

export function createSessionMemories(limits: SessionLimits) {
  const memories = new Map<string, SessionMemory>();
  return {
    of(sessionId: string): SessionMemory {
      const known = memories.get(sessionId);
      if (known) return known;
      const memory = {
        bucket: createTokenBucket(limits),
        inFlight: createInFlight(limits),
        succeeded: new Set<string>(),
        warnedOf: new Set<string>(),
      };
      memories.set(sessionId, memory);
      return memory;
    },
    forget(sessionId: string): void {
      memories.delete(sessionId);
    },
  };
}
