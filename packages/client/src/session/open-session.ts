import { childLog, ProtocolError, type TimedSignal } from '@nexus/core';
import { createPeer } from '@nexus/core/json-rpc';
import type { Carrier } from '../carrier.ts';
import type { SessionOptions } from '../connect-options.ts';
import type { Connection, Ending } from '../connection.ts';
import { ConnectionError } from '../connection-error.ts';
import type { Mask } from '../mask-secrets.ts';
import { boundErrors, boundListener } from './bounded-listener.ts';
import { HandshakeError, shakeHands } from './handshake.ts';
import { listPages } from './list-pages.ts';
import { asStrangers } from './strangers-words.ts';

export interface Opening extends Omit<SessionOptions, 'signal' | 'timeoutMs'> {
  readonly mask: Mask;
  /** Ends the handshake. */
  readonly signal: TimedSignal;
  /** How a server that is another's is named beside its words; undefined for this Nexus itself, which is believed. */
  readonly stranger: string | undefined;
}

/**
 * Opens an MCP session on a carrier, which is ended where that fails.
 * @throws {ConnectionError} the server answers wrongly, or ends; the signal's reason
 */
export async function openSession(carrier: Carrier, options: Opening): Promise<Connection> {
  const { serverName, listener, log, mask, signal, stranger } = options;
  const bounded = boundListener(listener, { log: childLog(log, { server: serverName }), mask });
  const bounds = boundErrors(carrier.channel, mask);
  const peer = createPeer(
    stranger === undefined ? bounds : asStrangers(bounds, stranger),
    {
      request: async (method, params, { end }) =>
        method === 'ping' ? {} : bounded.request(method, params, { signal: end.signal }),
      notification: bounded.notification,
      // What carries the channel knows more of how it ended, and tells that by `ended`.
      closed() {},
    },
    childLog(log, { server: serverName }),
  );
  let isClosing = false;
  const closed = carrier.ended.then((ending): Ending => {
    const { stderrTail: _, ...quiet } = ending;
    const told = isClosing ? { ...quiet, reason: 'was closed' } : ending;
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
    const server = await shakeHands(peer, options, signal, (version) => carrier.agreed?.(version));
    return {
      server,
      pid: carrier.pid,
      request: (method, params, given) =>
        peer.request(method, params, given.onProgress ? bounded.progress(given) : given),
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

/** A failed handshake as the server's own failure, with what it wrote on stderr. */
export function startError(
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
