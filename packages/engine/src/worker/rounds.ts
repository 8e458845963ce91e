import type { Timer } from '../ground.ts';
import type { RunDatabase } from '../record/run-database.ts';

/** How often a process looks for what nobody told it of. */
const SLOW_LOOK_MS = 15_000;
/** How often it looks while others have runs: their end, however it comes, is seen by then. */
export const WATCH_MS = 1_000;
/** A look that is late by so much is one of a process that stood still: others are given up only after 30 s. */
const STOOD_STILL_MS = 10_000;

/** When a process looks at what is on record. */
export interface Rounds {
  /** Looks from now on, where it does not yet. */
  begin(): void;
  /** Others have runs, which they may die with: it looks as often as it does while they have. */
  sooner(): void;
  /** The next look, after one that is over. */
  next(how: { readonly isFar: boolean }): void;
  /** There is nothing to look for. */
  rest(): void;
  /** A look is under way. */
  under(): void;
  /** Something is due so much later, or was so much before; `undefined` for nothing that is known of. */
  atDue(ms: number | undefined): void;
  /** It may have stood still with what others need to say that they live, as the lock on a file. */
  noticeStandstill(): void;
  stop(): void;
}

export function createRounds(on: RunDatabase, look: () => void): Rounds {
  const { ground } = on;
  /** Nobody has a run, as far as is known: the next look is far away. */
  let isFar = false;
  let timer: Timer | undefined;
  /** By when the look goes on, unless this process stands still. */
  let dueAt = Number.POSITIVE_INFINITY;
  let dueTimer: Timer | undefined;

  function after(ms: number): void {
    ground.clear(timer);
    dueAt = ground.now() + ms;
    timer = ground.after(ms, look);
    timer.unref();
  }

  return {
    begin() {
      if (timer === undefined) after(WATCH_MS);
    },
    sooner() {
      if (isFar) after(WATCH_MS);
      isFar = false;
    },
    next(how) {
      isFar = how.isFar;
      after(isFar ? SLOW_LOOK_MS : WATCH_MS);
    },
    rest() {
      timer = undefined;
      dueAt = Number.POSITIVE_INFINITY;
    },
    under: () => ground.clear(timer),
    atDue(ms) {
      ground.clear(dueTimer);
      if (ms === undefined || ms >= SLOW_LOOK_MS) return;
      dueTimer = ground.after(Math.max(0, ms), look);
      dueTimer.unref();
    },
    noticeStandstill() {
      const now = ground.now();
      if (now - dueAt > STOOD_STILL_MS) on.interrupted();
      dueAt = now;
    },
    stop() {
      ground.clear(timer);
      ground.clear(dueTimer);
    },
  };
}
