import { afterEach, vi } from 'vitest';

/** `vi.waitFor` gives up after a second by default, which no setting changes: on a busy machine that is a false alarm. */
const { waitFor } = vi;
const TIMEOUT_MS = 60_000;

vi.waitFor = (callback, options) => {
  const given = typeof options === 'number' ? { timeout: options } : options;
  return waitFor(callback, { timeout: TIMEOUT_MS, ...given });
};

// Files share their worker: a timer that one leaves stopped would hang whichever comes after it.
afterEach(() => {
  vi.useRealTimers();
});
