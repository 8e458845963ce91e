import { isToolError } from '@nexus/plugin-sdk';
import type { Ground } from '../ground.ts';

const FIRST_PAUSE_MS = 20;
const LAST_PAUSE_MS = 2_000;
/** How long whoever says nothing else waits for a store that is away: over a minute, and not for good. */
const PATIENCE_MS = 75_000;

export interface Patience {
  /** Ends the waiting with its reason. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Ends it with the store's own error, which may be retried; so does the process's end, and a store that is away for
   * good, but for `Infinity`.
   */
  readonly forMs?: number | undefined;
}

/**
 * Makes something again for as long as the store is away, and it is waited for.
 * @param work is told whether it was made before, and may be on record though no answer came
 */
export type UntilItAnswers = <Result>(
  work: (isAgain: boolean) => Promise<Result>,
  patience: Patience,
) => Promise<Result>;

export function untilItAnswers({
  ground,
  shutdown,
  onAway,
}: {
  readonly ground: Ground;
  /** From then on nobody waits who does not have to. */
  readonly shutdown?: AbortSignal | undefined;
  onAway?(): void;
}): UntilItAnswers {
  const pause = pausesUntil(ground, shutdown);
  return async (work, { signal, forMs = PATIENCE_MS }) => {
    const since = ground.now();
    for (let pauseMs = FIRST_PAUSE_MS, isAgain = false; ; pauseMs = Math.min(2 * pauseMs, LAST_PAUSE_MS)) {
      signal?.throwIfAborted();
      try {
        return await work(isAgain);
      } catch (error) {
        if (!isAway(error)) throw error;
        onAway?.();
        const isOver = shutdown?.aborted === true || isForGood(error);
        const mayTakeMs = isOver && forMs !== Number.POSITIVE_INFINITY ? 0 : forMs;
        if (ground.now() - since + pauseMs > mayTakeMs) throw error;
      }
      isAgain = true;
      await pause(pauseMs, signal);
    }
  };
}

/** Whether it is no use to wait: what it stood on was taken away under this process. */
function isForGood(error: unknown): boolean {
  return isToolError(error) && error.detail?.isForGood === true;
}

export function isAway(error: unknown): boolean {
  return isToolError(error) && error.code === 'NEXUS_STORE_UNAVAILABLE';
}

/** What ends with a signal: by one listener, however much waits for it at a time, and however often doors are opened. */
const endings = new WeakMap<AbortSignal, Set<() => void>>();

function endedBy(signal: AbortSignal): Set<() => void> {
  const known = endings.get(signal);
  if (known) return known;
  const ends = new Set<() => void>();
  endings.set(signal, ends);
  signal.addEventListener('abort', () => ends.forEach((end) => void end()), { once: true });
  return ends;
}

/** Pauses that end early by a signal of their own, and all by that of the process. */
function pausesUntil(ground: Ground, shutdown: AbortSignal | undefined) {
  return (ms: number, signal: AbortSignal | undefined) =>
    new Promise<void>((resolve) => {
      const signals = [shutdown, signal].filter((each) => each !== undefined);
      const end = () => {
        ground.clear(timer);
        for (const each of signals) endedBy(each).delete(end);
        resolve();
      };
      const timer = ground.after(ms, end);
      for (const each of signals) endedBy(each).add(end);
      if (signal?.aborted) end();
    });
}
