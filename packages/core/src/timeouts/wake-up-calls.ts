import { type Place, Running } from '../running.ts';

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
  add(timed: Timed): Place<Timed>;
  remove(place: Place<Timed>): void;
}

export function createWakeUpCalls(): WakeUpCalls {
  const running = new Running<Timed>();
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
    const over = running.places().filter(({ value }) => value.endsAtMs <= now);
    for (const place of over) running.remove(place);
    if (running.size > 0) wakeAt(Math.min(...running.all().map(({ endsAtMs }) => endsAtMs)));
    for (const { value } of over) value.timeIsOver();
  }

  return {
    add(timed) {
      const place = running.add(timed);
      if (timed.endsAtMs < wakesAtMs) wakeAt(timed.endsAtMs);
      else if (running.size === 1) timer?.ref();
      return place;
    },
    remove(place) {
      running.remove(place);
      // It stays for the next, which mostly ends later; meanwhile the process may end.
      if (running.size === 0) timer?.unref();
    },
  };
}
