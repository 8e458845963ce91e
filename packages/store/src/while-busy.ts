import { setTimeout as sleep } from 'node:timers/promises';

/** How long a write waits for another process's lock before it gives up. */
export const LOCK_WAIT_MS = 15_000;
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
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isBusy(error) || performance.now() >= giveUpAt) throw error;
      await pause(5 + Math.random() * 20);
    }
  }
}

function isBusy(error: unknown): boolean {
  return (
    error instanceof Error && 'rawCode' in error && (Number(error.rawCode) & PRIMARY_CODE) === SQLITE_BUSY
  );
}
