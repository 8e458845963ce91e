import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { isToolError } from '@nexus/plugin-sdk';

/** Who waits for a store that is away, in the place of being told that it is. */
export interface Waiter {
  /** Ends the waiting: what was asked for fails with the store's own error. */
  readonly end: Pick<AbortSignal, 'aborted'> & {
    addEventListener(type: 'abort', listener: () => void): void;
    removeEventListener(type: 'abort', listener: () => void): void;
  };
  /**
   * Called when the waiting begins, which takes none of its own time.
   * @returns what is called when it is over
   */
  hold(): () => void;
}

/** What asks the store in the course of a waiter's work. */
export interface Waiters {
  /** All that `work` asks of the store until it settles waits for as long as the store is away. */
  within<Result>(waiter: Waiter, work: () => Promise<Result>): Promise<Result>;
  /**
   * Asks, and for a waiter again for as long as the store is away: what has surely not been written, and what is
   * harmless. A write whose answer was lost stays an error, since nobody knows whether it holds.
   */
  ask<Result>(work: () => Promise<Result>, isHarmless: boolean): Promise<Result>;
}

interface Scope {
  readonly waiter: Waiter;
  /** The work that this is a part of. */
  readonly outer: Scope | undefined;
  isOver: boolean;
}

const FIRST_PAUSE_MS = 20;
const LAST_PAUSE_MS = 1_000;

export function createWaiters(): Waiters {
  const at = new AsyncLocalStorage<Scope>();
  let count = 0;
  return {
    async within(waiter, work) {
      const outer = at.getStore();
      const scope: Scope = { waiter, outer: outer?.isOver ? undefined : outer, isOver: false };
      count += 1;
      try {
        return await at.run(scope, work);
      } finally {
        scope.isOver = true;
        count -= 1;
        // Else every promise of the process would be followed from then on.
        if (count === 0) at.disable();
      }
    },
    async ask(work, isHarmless) {
      try {
        return await work();
      } catch (error) {
        const scope = at.getStore();
        if (!scope || isEnded(scope) || !mayAskAgain(error, isHarmless)) throw error;
        return askAgain(work, { scope, error, isHarmless });
      }
    },
  };
}

async function askAgain<Result>(
  work: () => Promise<Result>,
  { scope, error: first, isHarmless }: { scope: Scope; error: unknown; isHarmless: boolean },
): Promise<Result> {
  const ended = new AbortController();
  const onEnd = () => ended.abort();
  const { end } = scope.waiter;
  end.addEventListener('abort', onEnd);
  const goOn = holdAll(scope);
  let error = first;
  try {
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LAST_PAUSE_MS)) {
      await sleep(pauseMs, undefined, { signal: ended.signal }).catch(() => {});
      if (isEnded(scope)) throw error;
      try {
        return await work();
      } catch (another) {
        if (!mayAskAgain(another, isHarmless)) throw another;
        error = another;
      }
    }
  } finally {
    goOn();
    end.removeEventListener('abort', onEnd);
  }
}

/** Work that was given up asks for nothing more, whoever still listens to it. */
function isEnded({ isOver, waiter }: Scope): boolean {
  return isOver || waiter.end.aborted;
}

function holdAll(scope: Scope): () => void {
  const held: (() => void)[] = [];
  for (let each: Scope | undefined = scope; each; each = each.outer) held.push(each.waiter.hold());
  return () => held.forEach((goOn) => void goOn());
}

function mayAskAgain(error: unknown, isHarmless: boolean): boolean {
  if (!isToolError(error) || error.code !== 'NEXUS_STORE_UNAVAILABLE' || error.detail?.isForGood === true)
    return false;
  return isHarmless || isUnwritten(error.detail);
}

function isUnwritten(detail: unknown): boolean {
  return (
    typeof detail === 'object' && detail !== null && 'wasWritten' in detail && detail.wasWritten === false
  );
}
