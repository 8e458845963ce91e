import type { Log } from '@nexus/plugin-sdk';
import type { Channel, SendOptions } from '../channel.ts';
import { type AskOptions, askedRequests } from './asked.ts';
import type { Members } from './members.ts';
import { type RequestHandler, servedRequests } from './served.ts';

/** One side of JSON-RPC on a channel; both sides of MCP may ask, answer and notify. */
export interface Peer {
  /**
   * @throws {ProtocolError} the other side's JSON-RPC error, as it is
   * @throws the signal's reason, or what `fail` was given
   */
  request(method: string, params: Members | undefined, options: AskOptions): Promise<Members>;
  notify(method: string, params?: Members, options?: SendOptions): Promise<void>;
  /** Requests of the other side that have no answer yet. */
  inFlight(): number;
  /** Resolves once each of them has its answer. */
  idle(): Promise<void>;
  /** Rejects what is pending and all that is asked later, and ends what the other side asked for. */
  fail(errors: { readonly pending: Error; readonly later: Error }): void;
}

export interface PeerHandlers {
  readonly request: RequestHandler;
  /** Every notification but `notifications/progress` and `notifications/cancelled`. */
  notification(method: string, params: Members): void;
  /** No message comes any more. For whoever calls `fail`: answers may still be on their way out. */
  closed(): void;
}

/**
 * JSON-RPC as MCP has it, the same engine for a session with a client and a connection to a server. Own, and
 * not the SDK's `Protocol`: that one parses every message anew, drops and reorders keys, loses progress that
 * arrives in one chunk with the result, and takes zod along into every start. Messages are delivered in the
 * order they came in, and what they carry is passed as it is.
 */
export function createPeer(channel: Channel, handlers: PeerHandlers, log: Log): Peer {
  const asked = askedRequests(channel, log);
  const served = servedRequests(channel, handlers.request, log);
  let failure: Error | undefined;

  function notified(method: string, params: Members): void {
    if (method === 'notifications/progress') asked.progressed(params);
    else if (method === 'notifications/cancelled') served.cancelled(params);
    else handlers.notification(method, params);
  }

  channel.start({
    message(message) {
      const { id, method, params = {} } = message;
      if (method === undefined) asked.answered(message);
      else if (id === undefined) notified(method, params);
      else served.serve(id, method, params);
    },
    closed: handlers.closed,
  });

  return {
    request: asked.request,
    async notify(method, params, options) {
      if (failure) throw failure;
      await channel.send({ jsonrpc: '2.0', method, ...(params && { params }) }, options);
    },
    inFlight: served.inFlight,
    idle: served.idle,
    fail(errors) {
      failure ??= errors.later;
      asked.fail(errors);
      served.end(errors.pending);
    },
  };
}
