import { childLog, ProtocolError } from '@nexus/core';
import { createPeer } from '@nexus/core/json-rpc';
import { redactJson } from '@nexus/untrusted/secrets';
import { type Mask, maskSecrets } from '../process/mask-secrets.ts';
import { openStdio } from '../process/stdio-carrier.ts';
import type { ServerSettings } from '../settings.ts';
import { boundErrors, boundListener } from './bounded-listener.ts';
import type { Carrier } from './carrier.ts';
import { AUTHORIZATION_TIMEOUT_MS, type ConnectOptions, DEFAULT_HANDSHAKE_MS } from './connect-options.ts';
import type { Connection, Ending } from './connection.ts';
import { ConnectionError } from './connection-error.ts';
import { HandshakeError, shakeHands } from './handshake.ts';
import { listPages } from './list-pages.ts';

/**
 * Opens a session with a server. Whatever was started for an attempt that fails is ended again.
 * @throws {ConnectionError} it can't be started, does not answer in time, answers wrongly, or ends
 * @throws the signal's reason
 */
export async function connect(settings: ServerSettings, options: ConnectOptions): Promise<Connection> {
  const { serverName, listener, log } = options;
  const mask = maskSecrets(settings);
  using attempt = attemptSignal(options);
  const carrier = await openCarrier(settings, { ...options, signal: attempt.signal }, mask).catch((error) => {
    throw startError(error, { serverName, mask, stderrTail: undefined });
  });
  const bounded = boundListener(listener, { log: childLog(log, { server: serverName }) });
  const peer = createPeer(
    boundErrors(carrier.channel, mask),
    {
      request: async (method, params, { end }) =>
        method === 'ping' ? {} : bounded.request(method, params, { signal: end.signal }),
      notification(method, params) {
        bounded.notification(method, method === 'notifications/message' ? redactJson(params, mask) : params);
      },
      // What carries the channel knows more of how it ended, and tells that by `ended`.
      closed() {},
    },
    childLog(log, { server: serverName }),
  );
  let isClosing = false;
  const closed = carrier.ended.then((ending): Ending => {
    const told = isClosing ? { reason: 'was closed' } : ending;
    peer.fail({
      pending: new ConnectionError(serverName, told),
      later: new ConnectionError(serverName, told, { isUnsent: true }),
    });
    return told;
  });

  function close(): Promise<void> {
    isClosing = true;
    return carrier.end();
  }

  try {
    const server = await shakeHands(peer, options, attempt.signal, (version) => carrier.agreed?.(version));
    return {
      server,
      pid: carrier.pid,
      request: (method, params, given) =>
        peer.request(method, params, given?.onProgress ? bounded.progress(given) : given),
      notify: peer.notify,
      list: (method, key, listOptions) => listPages(peer, { serverName, method, key, log }, listOptions),
      closed,
      close,
    };
  } catch (error) {
    await close();
    const { stderrTail } = await carrier.ended;
    throw startError(error, { serverName, mask, stderrTail });
  }
}

async function openCarrier(
  settings: ServerSettings,
  options: ConnectOptions & { readonly signal: AbortSignal },
  mask: Mask,
): Promise<Carrier> {
  if (settings.transport === 'stdio') return openStdio(settings, options, mask);
  const { openHttp } = await import('./http/http-carrier.ts');
  return openHttp(settings, options, mask);
}

/** Aborts with the caller's signal, or when the time for the handshake is over. */
function attemptSignal(options: ConnectOptions): Disposable & { signal: AbortSignal } {
  const { signal: given, timeoutMs = DEFAULT_HANDSHAKE_MS, interactive } = options;
  given?.throwIfAborted();
  const controller = new AbortController();
  const late = () => controller.abort(new HandshakeError(`did not finish its start within ${timeoutMs} ms`));
  const follow = () => controller.abort(given?.reason);
  const timer = setTimeout(late, interactive ? timeoutMs + AUTHORIZATION_TIMEOUT_MS : timeoutMs);
  given?.addEventListener('abort', follow, { once: true });
  return {
    signal: controller.signal,
    [Symbol.dispose]() {
      clearTimeout(timer);
      given?.removeEventListener('abort', follow);
    },
  };
}

/** A failed handshake as the server's own failure, with what it wrote on stderr. */
function startError(
  error: unknown,
  { serverName, mask, stderrTail }: { serverName: string; mask: Mask; stderrTail: string | undefined },
): unknown {
  const reason = handshakeFailure(error);
  if (reason === undefined) return error;
  const ending = { reason: mask(reason), ...(stderrTail === undefined ? {} : { stderrTail }) };
  return new ConnectionError(serverName, ending, { cause: error, isUnsent: true });
}

function handshakeFailure(error: unknown): string | undefined {
  if (error instanceof HandshakeError) return error.message;
  if (error instanceof ProtocolError) return `refused initialize: ${error.message} (${error.code})`;
  return undefined;
}
