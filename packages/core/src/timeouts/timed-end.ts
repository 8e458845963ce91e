import { joinSignals } from '@nexus/primitives';
import { type EndSignal, RequestEnd } from './end-signal.ts';

declare const TIMED: unique symbol;

/**
 * An end that comes by itself, whether or not anybody cancels. Requests to the other side of a connection take
 * nothing less, so that none can be made that a silent other side holds open for good.
 */
export type TimedEnd = EndSignal & { readonly [TIMED]: true };

/** The same as an AbortSignal. */
export type TimedSignal = AbortSignal & TimedEnd;

/** What a client's request takes that has nothing to wait for but an answer. */
export const ANSWER_MS = 30_000;
/** The longest that a command waits for its own server, which knows the budget of what it runs. */
export const LONGEST_MS = 24 * 3_600_000;

/** Fires after so many milliseconds with a `TimeoutError`, or with the signal if that comes first. */
export function endsWithin(ms: number, signal?: EndSignal): TimedSignal {
  const late = new AbortController();
  const over = () => late.abort(new DOMException(`There was no answer within ${ms} ms`, 'TimeoutError'));
  setTimeout(over, ms).unref();
  return timed(signal ? joinSignals(late.signal, toAbortSignal(signal)) : late.signal);
}

/** Of who holds a clock already: a call's deadline, the time for a handshake. */
export function timed<Signal extends EndSignal>(signal: Signal): Signal & TimedEnd {
  return signal as Signal & TimedEnd;
}

/** Whether this is what comes of an end by time. */
export function isLate(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'TimeoutError';
}

function toAbortSignal(signal: EndSignal): AbortSignal {
  if (signal instanceof AbortSignal) return signal;
  if (signal instanceof RequestEnd) return signal.signal;
  throw new TypeError('a signal is an AbortSignal or the end of a request');
}
