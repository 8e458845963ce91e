/** Wakes whoever waits for work in this process. Work of other processes is found by looking again. */
export interface Changes {
  /** How many announcements there have been: read it before looking, so that none is missed. */
  readonly count: number;
  announce(): void;
  /** Resolves once `count` exceeds `seen` or after `waitMs`; rejects with the signal's reason. */
  after(seen: number, waitMs: number, signal: AbortSignal): Promise<void>;
}

export function createChanges(): Changes {
  let count = 0;
  const waiting = new Set<() => void>();
  return {
    get count() {
      return count;
    },
    announce() {
      count += 1;
      for (const wake of [...waiting]) wake();
    },
    after: (seen, waitMs, signal) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason);
        if (count > seen) return resolve();
        const leave = () => {
          clearTimeout(timer);
          waiting.delete(wake);
          signal.removeEventListener('abort', abort);
        };
        const wake = () => {
          leave();
          resolve();
        };
        const abort = () => {
          leave();
          reject(signal.reason);
        };
        const timer = setTimeout(wake, waitMs);
        waiting.add(wake);
        signal.addEventListener('abort', abort, { once: true });
      }),
  };
}
