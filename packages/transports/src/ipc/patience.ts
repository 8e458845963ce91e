/** How long a process may say nothing at all until it counts as one that hangs. */
export const HUNG_AFTER_MS = 30_000;

const TICK_MS = 1_000;

/**
 * Fires after so much time in which this process was awake: what stopped it with the other, as a laptop's lid
 * does, is no sign that the other hangs.
 */
export function awakeFor(ms: number): { readonly signal: AbortSignal; stop(): void } {
  const over = new AbortController();
  let leftMs = ms;
  const timer = setInterval(() => {
    leftMs -= TICK_MS;
    if (leftMs > 0) return;
    clearInterval(timer);
    over.abort();
  }, TICK_MS);
  return { signal: over.signal, stop: () => clearInterval(timer) };
}
