import { joinSignals } from '@nexus/primitives';
import type { Ground } from '../ground.ts';

/**
 * How often a budget is looked at though nobody has told of it: a process that dies says nothing of the calls that it
 * had in flight, nor one whose word is lost of what it has settled.
 */
const UNTOLD_MS = 5_000;

/** Calls of this process that wait for others of their family to be settled, before there is room for them. */
export interface Settlements {
  /** A call of the family is settled, or will not be. */
  tell(rootId: string): void;
  /** Another process has put something of a family on record; which family is not said. */
  tellAll(): void;
  /**
   * Tries until there is room, or none will come. Of one family one tries at a time, so that each settled call
   * lets one look and not all.
   * @throws the signal's reason
   */
  untilRoom<Room>(
    family: { readonly rootId: string; readonly signal: AbortSignal },
    attempt: () => Promise<Room | undefined>,
  ): Promise<Room>;
}

/** @param watch says to other processes that what they settle of a family is waited for here */
export function createSettlements(ground: Ground, watch: (rootId: string) => void): Settlements {
  const lines = new Map<string, Promise<unknown>>();
  const listeners = new Map<string, () => void>();

  /** Until a call of the family is settled, or it is time to look. */
  function next(rootId: string, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const done = (end: () => void) => () => {
        ground.clear(timer);
        listeners.delete(rootId);
        signal.removeEventListener('abort', onAbort);
        end();
      };
      const onAbort = done(() => reject(signal.reason));
      const timer = ground.after(UNTOLD_MS, done(resolve));
      listeners.set(rootId, done(resolve));
      signal.addEventListener('abort', onAbort, { once: true });
    });
  }

  return {
    tell: (rootId) => listeners.get(rootId)?.(),
    tellAll() {
      for (const tell of [...listeners.values()]) tell();
    },
    async untilRoom({ rootId, signal }, attempt) {
      const before = lines.get(rootId) ?? Promise.resolve();
      const own = before.then(async () => {
        for (;;) {
          signal.throwIfAborted();
          const hearing = new AbortController();
          // From here on: what is settled while it tries is not missed.
          const settled = next(rootId, joinSignals(signal, hearing.signal));
          settled.catch(() => {});
          watch(rootId);
          try {
            const room = await attempt();
            if (room !== undefined) return room;
            await settled;
          } finally {
            hearing.abort();
          }
        }
      });
      const line = own.catch(() => {});
      lines.set(rootId, line);
      try {
        return await own;
      } finally {
        if (lines.get(rootId) === line) lines.delete(rootId);
      }
    },
  };
}
