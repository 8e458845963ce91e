import { readFileSync } from 'node:fs';

/** How much longer than its limit a thread may wait for a processor, as on a machine that is overloaded. */
const MAX_STRETCH = 10;

/**
 * Measures what a task took of a processor where the system says it (Linux), else the time that passed:
 * a machine that is busy with other things must not make an honest task one that overran.
 */
export class ThreadClock {
  readonly #file: string | undefined;
  readonly #startedAt = performance.now();
  readonly #usedBefore: number | undefined;

  /** @param systemThread as `/proc` names it, such as `1/task/2` */
  constructor(systemThread: string | undefined) {
    this.#file = systemThread && `/proc/${systemThread}/schedstat`;
    this.#usedBefore = this.#used();
  }

  /** Milliseconds that are left of the limit; none, or less, when it is exceeded. */
  leftMs(limitMs: number): number {
    const passed = performance.now() - this.#startedAt;
    const used = this.#used();
    if (used === undefined || this.#usedBefore === undefined) return limitMs - passed;
    return Math.min(limitMs - (used - this.#usedBefore), limitMs * MAX_STRETCH - passed);
  }

  #used(): number | undefined {
    if (!this.#file) return undefined;
    try {
      // Nanoseconds on a processor come first.
      return Number(readFileSync(this.#file, 'utf8').split(' ', 1)[0]) / 1e6;
    } catch {
      return undefined;
    }
  }
}
