import type { Ground } from '../ground.ts';

/** A process that was stopped for longer may have lost its runs: it asks the record before it does what can't be taken back. */
const SURE_MS = 1_000;
/** How often at most: a slow store is no reason never to go on. */
const SURE_TIMES = 3;

/**
 * Asks whose a run is, where the last word of the record on it may be of before a standstill: also where the process
 * stood still as it waited for the answer.
 * @param sureAt when that was asked for
 * @param ask never answers, or fails, once the run is another's
 * @returns when the last word was asked for
 */
export async function stillOurs(
  ground: Ground,
  sureAt: number,
  ask: () => Promise<unknown>,
): Promise<number> {
  let at = sureAt;
  for (let times = 0; times < SURE_TIMES && ground.now() - at >= SURE_MS; times += 1) {
    const now = ground.now();
    await ask();
    at = now;
  }
  return at;
}
