import type { SessionScope } from '@nexus/plugin-sdk';

/** More than anyone keeps in view. */
const MAX_JOBS = 1_000;

/** The jobs that each session was shown. */
export interface LookedAt {
  add(session: SessionScope, jobIds: readonly string[]): void;
  has(session: SessionScope, jobId: string): boolean;
}

export function createLookedAt(): LookedAt {
  const shown = new WeakMap<SessionScope, Set<string>>();
  return {
    add(session, jobIds) {
      const known = shown.get(session) ?? new Set();
      shown.set(session, known);
      for (const jobId of jobIds) {
        known.delete(jobId);
        known.add(jobId);
      }
      for (const oldest of known) {
        if (known.size <= MAX_JOBS) break;
        known.delete(oldest);
      }
    },
    has: (session, jobId) => shown.get(session)?.has(jobId) === true,
  };
}
