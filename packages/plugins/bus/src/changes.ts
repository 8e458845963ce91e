import { randomUUID } from 'node:crypto';
import type { Store } from '@nexus/plugin-sdk';

const CHANNEL = 'bus';

/** Wakes whoever waits for work, in this process and, by the store's notices, in the others of its bus. */
export interface Changes {
  /** How many there have been: read it before looking, so that none is missed. */
  readonly count: number;
  /** Wakes all, here and elsewhere. */
  announce(): void;
  /** Wakes those of this process. */
  wake(): void;
  /** Hears others from now on. @returns what ends it */
  listen(): Promise<() => void>;
  /**
   * Resolves once `count` exceeds `seen` or after `waitMs`, and says which; rejects with the signal's reason.
   */
  after(seen: number, waitMs: number, signal: AbortSignal): Promise<'change' | 'time'>;
}

export function createChanges(store: Pick<Store, 'notify' | 'listen'>, bus: string): Changes {
  const self = randomUUID();
  const waiting = new Set<() => void>();
  let count = 0;
  let isTelling = false;
  let isToTell = false;

  function wake(): void {
    count += 1;
    for (const each of [...waiting]) each();
  }

  /** What comes while others are being told is told once, for all of it. */
  async function tellOthers(): Promise<void> {
    isToTell = true;
    if (isTelling) return;
    isTelling = true;
    while (isToTell) {
      isToTell = false;
      // Who is not told looks for himself now and then.
      await store.notify(CHANNEL, `${self} ${bus}`).catch(() => {});
    }
    isTelling = false;
  }

  return {
    get count() {
      return count;
    },
    announce() {
      wake();
      void tellOthers();
    },
    wake,
    listen: () =>
      store.listen(CHANNEL, (payload) => {
        const from = payload?.slice(0, self.length);
        const isOurs = payload === undefined || payload.slice(self.length + 1) === bus;
        if (from !== self && isOurs) wake();
      }),
    after: (seen, waitMs, signal) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason);
        if (count > seen) return resolve('change');
        const leave = () => {
          clearTimeout(timer);
          waiting.delete(told);
          signal.removeEventListener('abort', abort);
        };
        const told = () => {
          leave();
          resolve('change');
        };
        const abort = () => {
          leave();
          reject(signal.reason);
        };
        const timer = setTimeout(() => {
          leave();
          resolve('time');
        }, waitMs);
        waiting.add(told);
        signal.addEventListener('abort', abort, { once: true });
      }),
  };
}
