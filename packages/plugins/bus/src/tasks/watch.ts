import type { Bus } from '../bus.ts';
import type { Worker } from '../workers.ts';
import { settle } from './blocked-on.ts';
import { expireLeases } from './expire-leases.ts';
import { canDo } from './needs.ts';
import { untilNextMs } from './next-moment.ts';
import { findKinds, findReady } from './waiting-tasks.ts';

/** Between two looks at the times of a bus that change while it looks. */
const SOONEST_MS = 10;

/** Looks after the times of a bus, and for what nobody told of, once for all of this process who wait for a task. */
export interface Watch {
  /** Whoever has joined is woken by `changes` when something may be there for him. */
  join(worker: Worker): Disposable;
  /** Takes back leases that ran out; and mends, now and then, what no change told of. */
  tend(): Promise<void>;
}

export function createWatch({ bus }: { readonly bus: () => Bus }): Watch {
  const members = new Set<{ readonly worker: Worker }>();
  let ending = new AbortController();
  let settledAt = Number.NEGATIVE_INFINITY;

  async function hear({ changes }: Bus, signal: AbortSignal): Promise<void> {
    // Where others can't be heard, what they do is found by looking.
    const stop = await changes.listen().catch(() => () => {});
    if (signal.aborted) return stop();
    signal.addEventListener('abort', stop, { once: true });
    changes.wake();
  }

  async function tend(): Promise<void> {
    const at = bus();
    await expireLeases(at);
    if (performance.now() - settledAt < at.options.lookAgainMs) return;
    settledAt = performance.now();
    await at.holds.tend();
    await settle(at);
  }

  /** What is there for any of those who wait. */
  async function wakeByTasks(at: Bus): Promise<void> {
    const workers = [...members].map(({ worker }) => worker);
    const kinds = (await findKinds(at)).filter((needs) => workers.some((worker) => canDo(worker, needs)));
    const needs = await findReady(at, kinds);
    if (needs.length > 0) at.changes.wake({ needs });
  }

  async function look(at: Bus, signal: AbortSignal): Promise<void> {
    const { changes, options } = at;
    using ear = changes.ear(({ times }) => times === true);
    for (let why = 'change'; !signal.aborted; ) {
      let pauseMs = options.lookAgainMs;
      try {
        await tend();
        if (why === 'time') await wakeByTasks(at);
        const untilNext = await untilNextMs(at);
        const untilSettled = settledAt + options.lookAgainMs - performance.now();
        pauseMs = Math.max(SOONEST_MS, Math.min(untilSettled, untilNext));
      } catch {
        // Each who waits hears why, from his own look: whoever he is, a task without needs is for him.
        changes.wake({ needs: ['[]'] });
      }
      why = await ear.next(pauseMs, signal).catch(() => 'over');
    }
  }

  return {
    tend,
    join(worker) {
      if (members.size === 0) {
        ending = new AbortController();
        void hear(bus(), ending.signal);
        void look(bus(), ending.signal);
      }
      const member = { worker };
      members.add(member);
      return {
        [Symbol.dispose]() {
          members.delete(member);
          if (members.size === 0) ending.abort();
        },
      };
    },
  };
}
