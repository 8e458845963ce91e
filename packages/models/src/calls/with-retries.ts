import { setTimeout as delay } from 'node:timers/promises';
import type { ModelEvent } from '@nexus/plugin-sdk';
import { ModelFailure } from '../failure.ts';

const FIRST_WAIT_MS = 500;
const MAX_WAIT_MS = 30_000;
/** Longer than this nobody wants to be kept waiting without a word. */
const MAX_RETRY_AFTER_MS = 60_000;

export interface RetryOptions {
  readonly maxAttempts: number;
  readonly signal: AbortSignal;
  readonly emit: (event: ModelEvent) => void;
  /** Whether a part of the answer was shown: what a retry would show again. */
  readonly hasShown: () => boolean;
}

/**
 * Makes a call again while that may help: only failures of the retryable kinds, with back-off and jitter or as
 * long as the provider asks for, and never once a part of the answer was shown.
 * @throws {ModelFailure} the last one; or the signal's reason
 */
export async function withRetries<Answer>(
  attempt: () => Promise<Answer>,
  { maxAttempts, signal, emit, hasShown }: RetryOptions,
): Promise<Answer> {
  for (let attempts = 1; ; attempts += 1) {
    signal.throwIfAborted();
    try {
      return await attempt();
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (!(error instanceof ModelFailure) || !error.isRetryable) throw error;
      if (attempts >= maxAttempts || hasShown()) throw error;
      const waitMs = waitOf(error, attempts);
      if (waitMs === undefined) throw error;
      emit({ type: 'retry', attempt: attempts + 1, waitMs, reason: error.message });
      await delay(waitMs, undefined, { signal }).catch(() => {});
    }
  }
}

/** Undefined where the provider asks for too much. */
function waitOf({ retryAfterMs }: ModelFailure, attempts: number): number | undefined {
  if (retryAfterMs !== undefined) return retryAfterMs > MAX_RETRY_AFTER_MS ? undefined : retryAfterMs;
  const full = Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** (attempts - 1));
  return Math.round(full * (0.5 + Math.random() / 2));
}
