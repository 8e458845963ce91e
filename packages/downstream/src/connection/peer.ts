import { type Channel, isRecord, JSON_RPC, type JsonRpcMessage, ProtocolError } from '@nexus/core';
import { isToolError, type Log } from '@nexus/plugin-sdk';
import type { ConnectionListener, RequestOptions } from './connection.ts';

type Members = Readonly<Record<string, unknown>>;
type Id = string | number;

interface Pending {
  resolve(result: Members): void;
  reject(error: unknown): void;
  readonly onProgress: RequestOptions['onProgress'];
}

/** The client's side of JSON-RPC on a channel. */
export interface Peer {
  request(method: string, params: Members | undefined, options?: RequestOptions): Promise<Members>;
  notify(method: string, params?: Members): Promise<void>;
  /** Rejects what is pending and all that is asked later, and ends what the server asked for. */
  fail(errors: { readonly pending: Error; readonly later: Error }): void;
}

export interface PeerOptions {
  readonly serverName: string;
  readonly channel: Channel;
  readonly listener: ConnectionListener;
  readonly log: Log;
}

/**
 * Own, and not the SDK's `Client`: that one parses every result anew, drops and reorders keys, and loses
 * progress that arrives in one chunk with the result. Messages are delivered in the order they came in, and
 * what they carry is passed as it is.
 */
export function createPeer({ serverName, channel, listener, log }: PeerOptions): Peer {
  const pending = new Map<Id, Pending>();
  const serving = new Map<Id, AbortController>();
  let nextId = 1;
  let failure: Error | undefined;

  function request(
    method: string,
    params: Members | undefined,
    { signal, onProgress }: RequestOptions = {},
  ): Promise<Members> {
    if (failure) return Promise.reject(failure);
    if (signal?.aborted) return Promise.reject(signal.reason);
    const id = nextId++;
    return new Promise((resolve, reject) => {
      const cancel = () => {
        if (!pending.delete(id)) return;
        // MCP 2025-11-25, lifecycle: a client must not cancel initialize.
        if (method !== 'initialize') tellCancelled(id, signal?.reason);
        reject(signal?.reason);
      };
      const settled = () => signal?.removeEventListener('abort', cancel);
      signal?.addEventListener('abort', cancel, { once: true });
      pending.set(id, {
        resolve(result) {
          settled();
          resolve(result);
        },
        reject(error) {
          settled();
          reject(error);
        },
        onProgress,
      });
      send({ jsonrpc: '2.0', id, method, ...withToken(params, onProgress && id) }, (error) => {
        const waiting = take(id);
        waiting?.reject(error);
      });
    });
  }

  function take(id: Id): Pending | undefined {
    const waiting = pending.get(id);
    pending.delete(id);
    return waiting;
  }

  function send(message: JsonRpcMessage, failed: (error: unknown) => void): void {
    channel.send(message).catch(failed);
  }

  function tellCancelled(requestId: Id, reason: unknown): void {
    const text = reason instanceof Error ? reason.message : String(reason ?? 'cancelled');
    send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId, reason: text } }, () =>
      log.debug('a cancellation did not reach its server', { server: serverName, requestId }),
    );
  }

  function answered({ id, result, error }: JsonRpcMessage): void {
    const waiting = id === undefined ? undefined : take(id);
    if (!waiting) {
      // An answer to a cancelled request is expected; one without an id says what the server could not read.
      if (id === undefined) {
        log.warn('a server answered with an error to no request', { server: serverName, code: error?.code });
      }
      return;
    }
    if (error) waiting.reject(new ProtocolError(error.code, error.message, error.data));
    else waiting.resolve(result ?? {});
  }

  function notified(method: string, params: Members): void {
    if (method === 'notifications/progress') {
      const { progressToken, ...report } = params;
      if (isId(progressToken)) pending.get(progressToken)?.onProgress?.(report);
    } else if (method === 'notifications/cancelled') {
      const { requestId, reason } = params;
      if (isId(requestId)) serving.get(requestId)?.abort(new Error(String(reason ?? 'cancelled')));
    } else {
      listener.notification(method, params);
    }
  }

  async function serve(id: Id, method: string, params: Members): Promise<void> {
    const controller = new AbortController();
    serving.set(id, controller);
    const outcome = await answerTo(method, params, controller.signal);
    serving.delete(id);
    // MCP 2025-11-25, cancellation: a cancelled request is not answered.
    if (controller.signal.aborted) return;
    send({ jsonrpc: '2.0', id, ...outcome }, (error) =>
      log.warn('an answer did not reach the server that asked', {
        server: serverName,
        method,
        error: String(error),
      }),
    );
  }

  async function answerTo(method: string, params: Members, signal: AbortSignal) {
    try {
      return { result: method === 'ping' ? {} : await listener.request(method, params, { signal }) };
    } catch (error) {
      return { error: toJsonRpcError(error) };
    }
  }

  function fail(errors: { readonly pending: Error; readonly later: Error }): void {
    if (failure) return;
    failure = errors.later;
    for (const { reject } of pending.values()) reject(errors.pending);
    pending.clear();
    for (const controller of serving.values()) controller.abort(errors.pending);
  }

  channel.start({
    message(message) {
      const { id, method, params = {} } = message;
      if (method === undefined) answered(message);
      else if (id === undefined) notified(method, params);
      else void serve(id, method, params);
    },
    // What carries the channel knows more of how it ended, and tells that by `fail`.
    closed() {},
  });

  return {
    request,
    async notify(method, params) {
      if (failure) throw failure;
      await channel.send({ jsonrpc: '2.0', method, ...(params && { params }) });
    },
    fail,
  };
}

/** The token is this request's own id; the one that its caller was given means nothing to the server. */
function withToken(params: Members | undefined, token: Id | undefined): { params?: Members } {
  const meta = isRecord(params?._meta) ? params._meta : undefined;
  if (token === undefined && meta?.progressToken === undefined) return params ? { params } : {};
  const { progressToken: _, ...rest } = meta ?? {};
  const _meta = token === undefined ? rest : { ...rest, progressToken: token };
  return { params: { ...params, _meta } };
}

function toJsonRpcError(error: unknown): NonNullable<JsonRpcMessage['error']> {
  if (error instanceof ProtocolError) {
    const { code, message, data } = error;
    return { code, message, ...(data === undefined ? {} : { data }) };
  }
  // What another kind of error says is for this side's log, not for a server.
  return { code: JSON_RPC.internalError, message: isToolError(error) ? error.message : 'Internal error' };
}

function isId(value: unknown): value is Id {
  return typeof value === 'string' || typeof value === 'number';
}
