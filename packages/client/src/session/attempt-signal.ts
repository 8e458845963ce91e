import { type TimedSignal, timed } from '@nexus/core';
import { signalWithin } from '@nexus/primitives';
import { AUTHORIZATION_TIMEOUT_MS, type ConnectOptions, DEFAULT_HANDSHAKE_MS } from '../connect-options.ts';
import { HandshakeError } from './handshake.ts';

/** Aborts with the caller's signal, or when the time for the handshake is over. */
export function attemptSignal(
  options: Pick<ConnectOptions, 'signal' | 'timeoutMs' | 'interactive'>,
): Disposable & { signal: TimedSignal } {
  const { signal: given, timeoutMs = DEFAULT_HANDSHAKE_MS, interactive } = options;
  given?.throwIfAborted();
  const within = signalWithin(given, {
    ms: interactive ? timeoutMs + AUTHORIZATION_TIMEOUT_MS : timeoutMs,
    reason: () => new HandshakeError(`did not finish its start within ${timeoutMs} ms`),
  });
  return { signal: timed(within), [Symbol.dispose]: () => within[Symbol.dispose]() };
}
