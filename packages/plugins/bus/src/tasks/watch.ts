import type { Bus } from '../bus.ts';
import { expireLeases } from './expire-leases.ts';
import { untilNextMs } from './next-moment.ts';
import { hasReady } from './read-tasks.ts';

/** Between two looks at the times of a bus that change while it looks. */
const SOONEST_MS = 10;

/** Looks after the times of a bus, and for what nobody told of, once for all of this process who wait for a task. */
export interface Watch {
  /** Whoever has joined is woken by `changes` when something may be there for him. */
  join(): Disposable;
}

export function createWatch({ bus }: { readonly bus: () => Bus }): Watch {
  let members = 0;
  let ending = new AbortController();

  async function hear({ changes }: Bus, signal: AbortSignal): Promise<void> {
    // Where others can't be heard, what they do is found by looking.
    const stop = await changes.listen().catch(() => () => {});
    if (signal.aborted) return stop();
    signal.addEventListener('abort', stop, { once: true });
    changes.wake();
  }

  async function look(at: Bus, signal: AbortSignal): Promise<void> {
    const { changes, options } = at;
    for (let why = 'change'; !signal.aborted; ) {
      let pauseMs = options.lookAgainMs;
      let seen = changes.count;
      try {
        await expireLeases(at);
        if (why === 'time' && (await hasReady(at))) changes.wake();
        seen = changes.count;
        pauseMs = Math.min(pauseMs, Math.max(SOONEST_MS, await untilNextMs(at)));
      } catch {
        // Each who waits hears why, from his own look.
        changes.wake();
        seen = changes.count;
      }
      why = await changes.after(seen, pauseMs, signal).catch(() => 'over');
    }
  }

  return {
    join() {
      if (members === 0) {
        ending = new AbortController();
        void hear(bus(), ending.signal);
        void look(bus(), ending.signal);
      }
      members += 1;
      return {
        [Symbol.dispose]() {
          members -= 1;
          if (members === 0) ending.abort();
        },
      };
    },
  };
}
