import { setTimeout as delay } from 'node:timers/promises';
import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import type { JsonRpcMessage } from '@nexus/core';
import type { Members } from '@nexus/core/json-rpc';
import { withRounded } from '@nexus/core/rounded';
import { untilAborted } from '@nexus/primitives';
import { createAuthority } from '../auth/authority.ts';
import { AuthorizationError } from '../auth/authorization-error.ts';
import { authorizedFetch } from '../auth/authorized-fetch.ts';
import { credentialsFile } from '../auth/credentials-file.ts';
import type { Carrier } from '../carrier.ts';
import type { ConnectOptions } from '../connect-options.ts';
import type { Ending } from '../connection.ts';
import { ConnectionError } from '../connection-error.ts';
import type { Mask } from '../mask-secrets.ts';
import type { ConnectionSettings } from '../settings.ts';
import { boundedFetch } from './bounded-fetch.ts';
import { httpFailure, httpStatus, networkCode } from './http-failure.ts';
import { watchForLostAnswers } from './lost-answers.ts';
import { patientFetch } from './patient-fetch.ts';
import { roundedAnswers } from './rounded-answers.ts';
import { httpTransport } from './transports.ts';

/** How long the server's goodbye may take. */
const END_SESSION_MS = 1000;
/** Nobody is there at all: what it knew of the session is gone. */
const GONE = ['ECONNREFUSED', 'ENOTFOUND', 'EHOSTUNREACH', 'ENETUNREACH'];

/**
 * A session over Streamable HTTP or SSE. Its channel rejects the sending of a request when its answer can't
 * come any more, which may be long after it was sent.
 * @param options its signal ends the attempt to open an SSE server's stream
 * @throws {ConnectionError} the stream can't be opened
 */
export async function openHttp(
  settings: ConnectionSettings,
  options: ConnectOptions & { readonly signal: AbortSignal },
  mask: Mask,
): Promise<Carrier> {
  const { serverName, log } = options;
  const url = new URL(settings.url ?? '');
  const life = new AbortController();
  const rounded = roundedAnswers();
  const bounded = boundedFetch(fetchFor(settings, options, life.signal), undefined, rounded.read);
  const answers = watchForLostAnswers(bounded);
  const { transport, hasSession, isLast, endSession } = await httpTransport(settings, url, answers.fetch);
  let over: (ending: Ending) => void = () => {};
  const ended = new Promise<Ending>((resolve) => {
    over = resolve;
  });

  function finish(reason: string): void {
    if (life.signal.aborted) return;
    life.abort(new ConnectionError(serverName, { reason: mask(reason) }));
    over({ reason: mask(reason) });
    void transport.close();
  }

  function failure(error: unknown): ConnectionError {
    // MCP 2025-11-25, transports: 404 for a session that the server has ended.
    const isExpired = httpStatus(error) === 404 && hasSession();
    const reason = isExpired ? 'ended the session (HTTP 404)' : httpFailure(error, url);
    const isGone = GONE.includes(networkCode(error) ?? '');
    if (isExpired || isGone) finish(reason);
    return new ConnectionError(
      serverName,
      { reason: mask(reason) },
      { cause: error, isUnsent: isExpired || isGone || error instanceof AuthorizationError },
    );
  }

  transport.onerror = (error) => {
    if (isLast(error)) finish(httpFailure(error, url));
    if (life.signal.aborted) return;
    // A message that is none is dropped by the transport, and what waits for it waits till its deadline.
    const write = error.name === 'ZodError' ? log.warn : log.debug;
    write('trouble with a server', { server: serverName, error: mask(String(error)) });
  };

  async function send(message: JsonRpcMessage): Promise<void> {
    try {
      // Both types describe a JSON-RPC message; this one was checked to be one.
      await transport.send(message as JSONRPCMessage);
    } catch (error) {
      throw failure(error);
    }
    const streamEnd = message.id === undefined ? undefined : answers.streamEnd(message.id);
    if (!streamEnd) return;
    await streamEnd;
    throw new ConnectionError(serverName, { reason: 'closed the stream before it answered' });
  }

  try {
    await untilAborted(transport.start(), options.signal);
  } catch (error) {
    // An SSE stream that can't be opened is tried again behind the transport until it is closed.
    finish('was closed');
    throw options.signal.aborted ? error : failure(error);
  }
  return {
    channel: {
      kind: settings.transport,
      trust: 'network',
      start({ message, closed }) {
        transport.onmessage = (received) => {
          const heard = received as JsonRpcMessage;
          const paths = rounded.of(heard.id);
          message(paths.length === 0 ? heard : withRounded(heard as JsonRpcMessage & Members, paths));
        };
        void ended.then(closed);
      },
      send,
      close: () => transport.close(),
    },
    ended,
    agreed: (protocolVersion) => transport.setProtocolVersion?.(protocolVersion),
    async end() {
      if (!life.signal.aborted)
        await Promise.race([endSession().catch(() => {}), delay(END_SESSION_MS, undefined, { ref: false })]);
      finish('was closed');
    },
  };
}

/** With OAuth, unless the settings bring an authorisation of their own. */
function fetchFor(settings: ConnectionSettings, options: ConnectOptions, signal: AbortSignal): FetchLike {
  const isAuthorized = Object.keys(settings.headers).some((name) => name.toLowerCase() === 'authorization');
  if (isAuthorized) return patientFetch;
  const serverUrl = settings.url ?? '';
  const oauth = settings.oauth ?? {};
  const authority = createAuthority({
    serverUrl,
    toolbox: options.toolbox,
    oauth,
    clientName: options.clientInfo.name,
    credentials: credentialsFile(options.authFolder, serverUrl, oauth.clientId),
    interactive: options.interactive,
    fetch: patientFetch,
    signal,
  });
  return authorizedFetch(patientFetch, authority);
}
