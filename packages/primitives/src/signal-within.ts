import { joinSignals } from './join-signals.ts';

/** A time that ends what waits, and what it is ended with. */
export interface TimeToEnd {
  readonly ms: number;
  reason(): unknown;
}

/** A signal that fires as another does, with its reason, or when a time is over; whoever is done disposes of it. */
export function signalWithin(
  signal: AbortSignal | undefined,
  { ms, reason }: TimeToEnd,
): AbortSignal & Disposable {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(reason()), ms);
  const joined = joinSignals(...(signal === undefined ? [] : [signal]), late.signal);
  const letGo = joined[Symbol.dispose];
  return Object.assign(joined, {
    [Symbol.dispose]() {
      clearTimeout(timer);
      letGo();
    },
  });
}
