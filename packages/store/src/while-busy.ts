import { setTimeout as sleep } from 'node:timers/promises';

/** How long a write waits for another process's lock before it gives up. */
export const LOCK_WAIT_MS = 15_000;
/** The lock of a write is mostly gone in a millisecond or two: what is paid must not lie about for longer than that. */
const FIRST_PAUSE_MS = 1;
/** Another that writes again and again leaves it free in between, which whoever pauses for longer each time misses. */
const SOON_TRIES = 16;
/** What is held for longer is asked for less often. */
const LAST_PAUSE_MS = 25;
const SQLITE_BUSY = 5;
const PRIMARY_CODE = 0xff;

/**
 * Runs `work` again while another process holds the lock. SQLite's own wait blocks the whole event loop,
 * heartbeats included, so it is kept short and the long wait happens here.
 * @param pause what passes between two tries
 * @param waitMs how long it goes on trying
 */
export async function whileBusy<Result>(
  work: () => Result | Promise<Result>,
  pause: (ms: number) => Promise<unknown> = sleep,
  waitMs = LOCK_WAIT_MS,
): Promise<Result> {
  const giveUpAt = performance.now() + waitMs;
  for (let tries = 1, most = FIRST_PAUSE_MS; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (!isBusy(error) || performance.now() >= giveUpAt) throw error;
      // By chance, so that several do not ask at the same moment again and again.
      await pause(most * (0.5 + Math.random() / 2));
      if (tries >= SOON_TRIES) most = Math.min(2 * most, LAST_PAUSE_MS);
    }
  }
}

function isBusy(error: unknown): boolean {
  return (
    error instanceof Error && 'rawCode' in error && (Number(error.rawCode) & PRIMARY_CODE) === SQLITE_BUSY
  );
}
