import type { SessionScope } from '@nexus/plugin-sdk';

/** Who polls under which name in this process. */
export interface Pollers {
  /** @returns whether another session that is still there polled under this name before */
  isShared(name: string, session: SessionScope): boolean;
}

export function createPollers(): Pollers {
  const last = new Map<string, { readonly session: SessionScope; forget(): void }>();
  return {
    isShared(name, session) {
      const before = last.get(name);
      if (before?.session === session) return false;
      // Sessions that alternate would each keep one more for every poll.
      before?.forget();
      const poller = { session, forget() {} };
      last.set(name, poller);
      // Where the session has ended, this is called back at once.
      poller.forget = session.onEnd(() => void last.delete(name));
      return before !== undefined;
    },
  };
}
