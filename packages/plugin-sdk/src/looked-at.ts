import type { SessionScope } from './session-scope.ts';

/** More than anyone keeps in view. */
const MAX_IDS = 1_000;

/**
 * What each session was shown, by its ids: a tool that ends what others work on does so only to what its session has
 * looked at, since an id may be mistyped, or stand in a text from outside. Forgotten with the session.
 */
export interface LookedAt {
  add(session: SessionScope, ids: readonly string[]): void;
  has(session: SessionScope, id: string): boolean;
}

export function createLookedAt(): LookedAt {
  const shown = new WeakMap<SessionScope, Set<string>>();
  return {
    add(session, ids) {
      const known = shown.get(session) ?? new Set();
      shown.set(session, known);
      for (const id of ids) {
        known.delete(id);
        known.add(id);
      }
      for (const oldest of known) {
        if (known.size <= MAX_IDS) break;
        known.delete(oldest);
      }
    },
    has: (session, id) => shown.get(session)?.has(id) === true,
  };
}
