import { ToolError } from '@nexus/plugin-sdk';
import { untilAborted } from '@nexus/primitives';
import type { Waiting } from '../leases/open-server.ts';

/** Work that several callers of one session wait for. */
export interface SharedWait<T> {
  /** Waits for the work; who stops waiting takes nothing from the others. */
  join(waiting: Waiting): Promise<T>;
  readonly settled: Promise<unknown>;
  /** Everyone has stopped waiting, and it is being undone: whoever comes now begins anew. */
  readonly isGivenUp: boolean;
}

/**
 * Starts the work with its first caller. It ends early only once everyone has stopped waiting; what a server
 * asks meanwhile goes to the latest of those who wait still.
 */
export function shareWait<T>(
  sessionId: string,
  work: (waiting: Waiting) => Promise<T>,
  first: Waiting,
): SharedWait<T> {
  const nobody = new AbortController();
  const waiters = new Set<Waiting>([first]);
  const ask: NonNullable<Waiting['ask']> = async (method, params) => {
    const latest = [...waiters].findLast((each) => each.ask);
    if (latest?.ask) return latest.ask(method, params);
    throw new ToolError('NEXUS_UNAVAILABLE', `There is no client that could be asked for ${method}.`);
  };
  const done = work({ sessionId, signal: nobody.signal, ask: first.ask && ask });
  const settled = done.catch(() => {});
  return {
    settled,
    get isGivenUp() {
      return nobody.signal.aborted;
    },
    async join(waiting) {
      waiters.add(waiting);
      try {
        return await untilAborted(done, waiting.signal);
      } finally {
        waiters.delete(waiting);
        if (waiters.size === 0) nobody.abort(waiting.signal.reason);
      }
    },
  };
}
