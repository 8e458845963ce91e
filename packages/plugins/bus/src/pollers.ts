import type { SessionScope } from '@nexus/plugin-sdk';

/** Who polls under which name in this process. */
export interface Pollers {
  /** @returns whether another session that is still there polled under this name before */
  isShared(name: string, session: SessionScope): boolean;
}

export function createPollers(): Pollers {
  const last = new Map<string, SessionScope>();
  return {
    isShared(name, session) {
      const before = last.get(name);
      if (before === session) return false;
      last.set(name, session);
      session.onEnd(() => {
        if (last.get(name) === session) last.delete(name);
      });
      return before !== undefined;
    },
  };
}
