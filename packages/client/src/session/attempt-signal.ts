import { type TimedSignal, timed } from '@nexus/core';
import { AUTHORIZATION_TIMEOUT_MS, type ConnectOptions, DEFAULT_HANDSHAKE_MS } from '../connect-options.ts';
import { HandshakeError } from './handshake.ts';

/** Aborts with the caller's signal, or when the time for the handshake is over. */
export function attemptSignal(
  options: Pick<ConnectOptions, 'signal' | 'timeoutMs' | 'interactive'>,
): Disposable & { signal: TimedSignal } {
  const { signal: given, timeoutMs = DEFAULT_HANDSHAKE_MS, interactive } = options;
  given?.throwIfAborted();
  const controller = new AbortController();
  const late = () => controller.abort(new HandshakeError(`did not finish its start within ${timeoutMs} ms`));
  const follow = () => controller.abort(given?.reason);
  const timer = setTimeout(late, interactive ? timeoutMs + AUTHORIZATION_TIMEOUT_MS : timeoutMs);
  given?.addEventListener('abort', follow, { once: true });
  return {
    signal: timed(controller.signal),
    [Symbol.dispose]() {
      clearTimeout(timer);
      given?.removeEventListener('abort', follow);
    },
  };
}
