import type { Log } from '@nexus/plugin-sdk';

/** What was begun, to be ended in the opposite order: at the stop, or by a start that fails halfway. */
export interface Endings {
  /** @param what for the log, should its end fail */
  add(what: string, end: () => unknown): void;
  /** Ends each once, and is over when all have ended, whoever has begun it. One that fails is logged, and the rest end all the same. */
  run(): Promise<void>;
}

export function createEndings(log: Log): Endings {
  const begun: { readonly what: string; readonly end: () => unknown }[] = [];
  let running: Promise<void> = Promise.resolve();

  async function endAll(): Promise<void> {
    for (let last = begun.pop(); last; last = begun.pop()) {
      try {
        await last.end();
      } catch (error) {
        log.error(`${last.what} did not end as it should`, { err: error });
      }
    }
  }

  return {
    add: (what, end) => void begun.push({ what, end }),
    run() {
      running = running.then(endAll);
      return running;
    },
  };
}
