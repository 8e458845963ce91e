import type { WorkerPool, Workers } from '@nexus/plugin-sdk';
import type { RedactTask } from './redact.worker.ts';
import { redactText, secretsInForce } from './redact-text.ts';

/** Characters that are redacted at once, in less than 20 ms: the start of a thread takes some hundred. */
const SHORT_CHARS = 256 * 1024;
const LIMIT_MS = 60_000;

/**
 * As `redactText`, for texts of any length: a long one is read in a thread, so that nobody waits for it.
 * @returns a function that throws where the text could not be read; then nobody may be shown it
 */
export function redactApart(workers: Workers): (text: string) => Promise<string> {
  let pool: WorkerPool<RedactTask, string> | undefined;
  return async (text) => {
    if (text.length <= SHORT_CHARS) return redactText(text);
    pool ??= workers.pool({ module: new URL('./redact.worker.ts', import.meta.url), threads: 1 });
    const signal = new AbortController().signal;
    const outcome = await pool.run({ values: secretsInForce(), text }, { signal, timeLimitMs: LIMIT_MS });
    if (outcome.fault !== undefined) throw new Error(`looking for secrets in it ${outcome.reason}`);
    return outcome.answer;
  };
}
