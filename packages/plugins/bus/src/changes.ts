import { randomUUID } from 'node:crypto';
import type { Store } from '@nexus/plugin-sdk';

const CHANNEL = 'bus';
/** A notice has room for 7 000 bytes: a change that says more concerns everybody. */
const MAX_HINT_CHARACTERS = 2_000;

/** Whom a change concerns. What is not said by any of these concerns nobody who waits. */
export interface Hint {
  /** Needs of tasks that became ready. */
  readonly needs?: readonly string[];
  /** Tasks that are over: done, dead or cancelled. */
  readonly over?: readonly string[];
  /** Workers that a message reached. */
  readonly to?: readonly string[];
  /** Workers whose inbox was read or acknowledged. */
  readonly read?: readonly string[];
  /** A lease or a pause ends sooner than was known. */
  readonly times?: boolean;
  /** Anything may have changed. */
  readonly all?: boolean;
}

const ANYTHING: Hint = { all: true };

/** Hears what concerns one who waits, from its making on. */
export interface Ear extends Disposable {
  /**
   * Resolves at a change since the last time, or after `waitMs`, and says which; rejects with the signal's reason.
   */
  next(waitMs: number, signal: AbortSignal): Promise<'change' | 'time'>;
}

/** Wakes whoever waits, in this process and, by the store's notices, in the others of its bus. */
export interface Changes {
  /** Wakes those whom it concerns, here and elsewhere. */
  announce(hint: Hint): void;
  /** Wakes those of this process. */
  wake(hint?: Hint): void;
  /** Hears others from now on. @returns what ends it */
  listen(): Promise<() => void>;
  ear(concerns: (hint: Hint) => boolean): Ear;
}

export function createChanges(store: Pick<Store, 'notify' | 'listen'>, bus: string): Changes {
  const self = randomUUID();
  const ears = new Set<(hint: Hint) => void>();
  let untold: Hint | undefined;
  let isTelling = false;

  function wake(hint: Hint = ANYTHING): void {
    for (const hear of [...ears]) hear(hint);
  }

  /** What comes while others are being told is told once, for all of it. */
  async function tellOthers(hint: Hint): Promise<void> {
    untold = untold ? joined(untold, hint) : hint;
    if (isTelling) return;
    isTelling = true;
    while (untold) {
      const text = JSON.stringify(untold);
      untold = undefined;
      const said = text.length > MAX_HINT_CHARACTERS ? JSON.stringify(ANYTHING) : text;
      // Who is not told looks for himself now and then.
      await store.notify(CHANNEL, `${self} ${bus}\n${said}`).catch(() => {});
    }
    isTelling = false;
  }

  return {
    announce(hint) {
      wake(hint);
      void tellOthers(hint);
    },
    wake,
    listen: () =>
      store.listen(CHANNEL, (payload) => {
        if (payload === undefined) return wake();
        const [head = '', said] = payload.split('\n');
        if (head.slice(0, self.length) === self || head.slice(self.length + 1) !== bus) return;
        wake(said === undefined ? ANYTHING : (JSON.parse(said) as Hint));
      }),
    ear: (concerns) => createEar(ears, concerns),
  };
}

function createEar(ears: Set<(hint: Hint) => void>, concerns: (hint: Hint) => boolean): Ear {
  let hasHeard = false;
  let tell = () => {};
  const hear = (hint: Hint) => {
    if (!hint.all && !concerns(hint)) return;
    hasHeard = true;
    tell();
  };
  ears.add(hear);
  return {
    next: (waitMs, signal) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason);
        const leave = () => {
          clearTimeout(timer);
          tell = () => {};
          signal.removeEventListener('abort', abort);
        };
        const abort = () => {
          leave();
          reject(signal.reason);
        };
        const timer = setTimeout(() => {
          leave();
          resolve('time');
        }, waitMs);
        tell = () => {
          leave();
          hasHeard = false;
          resolve('change');
        };
        signal.addEventListener('abort', abort, { once: true });
        if (hasHeard) tell();
      }),
    [Symbol.dispose]: () => void ears.delete(hear),
  };
}

function joined(a: Hint, b: Hint): Hint {
  return {
    needs: [...new Set([...(a.needs ?? []), ...(b.needs ?? [])])],
    over: [...new Set([...(a.over ?? []), ...(b.over ?? [])])],
    to: [...new Set([...(a.to ?? []), ...(b.to ?? [])])],
    read: [...new Set([...(a.read ?? []), ...(b.read ?? [])])],
    times: a.times === true || b.times === true,
    all: a.all === true || b.all === true,
  };
}
