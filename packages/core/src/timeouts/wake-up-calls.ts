/** Something that has until then, in milliseconds of `performance.now()`. */
export interface Timed {
  readonly endsAtMs: number;
  timeIsOver(): void;
}

/**
 * One timer for all that run. One for each costs a short call a twentieth of its time: Node keeps timers in
 * lists by their length, and a call that is alone makes such a list and takes it away again.
 */
export interface WakeUpCalls {
  add(timed: Timed): void;
  remove(timed: Timed): void;
}

export function createWakeUpCalls(): WakeUpCalls {
  const running = new Set<Timed>();
  let timer: NodeJS.Timeout | undefined;
  let wakesAtMs = Number.POSITIVE_INFINITY;

  function wakeAt(atMs: number): void {
    clearTimeout(timer);
    wakesAtMs = atMs;
    timer = setTimeout(wake, Math.ceil(atMs - performance.now()));
  }

  function wake(): void {
    timer = undefined;
    wakesAtMs = Number.POSITIVE_INFINITY;
    const now = performance.now();
    const over = [...running].filter(({ endsAtMs }) => endsAtMs <= now);
    for (const each of over) running.delete(each);
    if (running.size > 0) wakeAt(Math.min(...[...running].map(({ endsAtMs }) => endsAtMs)));
    for (const each of over) each.timeIsOver();
  }

  return {
    add(timed) {
      running.add(timed);
      if (timed.endsAtMs < wakesAtMs) wakeAt(timed.endsAtMs);
      else if (running.size === 1) timer?.ref();
    },
    remove(timed) {
      running.delete(timed);
      // It stays for the next, which mostly ends later; meanwhile the process may end.
      if (running.size === 0) timer?.unref();
    },
  };
}
