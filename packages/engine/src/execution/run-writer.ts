import { isToolError } from '@nexus/plugin-sdk';
import { LostRun } from '../record/fence.ts';

const FIRST_PAUSE_MS = 20;
const LAST_PAUSE_MS = 2_000;

/**
 * Writes of one run, one after the other, each with the next number of the run. Where the store is away a
 * write is made again until it sticks: what was paid for is not lost with it.
 */
export class RunWriter {
  readonly #onLost: (error: LostRun) => void;
  #last: Promise<unknown> = Promise.resolve();
  #seq: number;
  #isOver = false;
  #pending = 0;

  constructor(seq: number, onLost: (error: LostRun) => void) {
    this.#seq = seq;
    this.#onLost = onLost;
  }

  get isIdle(): boolean {
    return this.#pending === 0;
  }

  /**
   * @param kept told of the result before the next write is made
   * @returns what the write does; never, once the run is another's
   * @throws what is no fault of the connection
   */
  write<Result>(work: (seq: number) => Promise<Result>, kept?: (result: Result) => void): Promise<Result> {
    this.#pending += 1;
    const written = this.#last.then(async () => {
      this.#seq += 1;
      const result = await this.#untilItSticks(work, this.#seq);
      kept?.(result);
      return result;
    });
    this.#last = written.catch(() => {});
    const settled = () => {
      this.#pending -= 1;
    };
    written.then(settled, settled);
    return written;
  }

  stop(): void {
    this.#isOver = true;
  }

  async #untilItSticks<Result>(work: (seq: number) => Promise<Result>, seq: number): Promise<Result> {
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LAST_PAUSE_MS)) {
      if (this.#isOver) return never();
      try {
        return await work(seq);
      } catch (error) {
        if (error instanceof LostRun) {
          this.stop();
          this.#onLost(error);
          return never();
        }
        if (!isAway(error)) throw error;
        await new Promise((resolve) => setTimeout(resolve, pauseMs).unref());
      }
    }
  }
}

/** What a run that is not this process's any more waits for. */
export function never(): Promise<never> {
  return new Promise(() => {});
}

export function isAway(error: unknown): boolean {
  return isToolError(error) && error.code === 'NEXUS_STORE_UNAVAILABLE';
}
