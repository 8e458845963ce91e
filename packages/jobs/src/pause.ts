import { setTimeout as sleep } from 'node:timers/promises';

/** Longer than a timer can be; whoever waits looks again. */
const MAX_PAUSE_MS = 60_000;

/**
 * Waits for `work`, and for `ms` at the latest.
 * @throws what `work` throws, or the signal's reason as soon as it fires
 */
export async function within(ms: number, signal: AbortSignal, work: Promise<void>): Promise<void> {
  const over = new AbortController();
  const onAbort = () => over.abort();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    await Promise.race([work, sleep(Math.min(ms, MAX_PAUSE_MS), undefined, { signal: over.signal })]);
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  } finally {
    signal.removeEventListener('abort', onAbort);
    over.abort();
  }
}

/** @throws the signal's reason, as soon as it fires */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return within(ms, signal, new Promise<never>(() => {}));
}
