import type { Log } from '@nexus/plugin-sdk';
import type { Channel, JsonRpcMessage } from '../channel.ts';
import { ProtocolError } from '../errors/protocol-error.ts';
import type { TimedEnd } from '../timeouts/timed-end.ts';
import { isRequestId, type Members, type RequestId, withProgressToken } from './members.ts';
import { PendingRequests } from './pending-requests.ts';

export interface AskOptions {
  /** Cancels, at the latest when its time is over: the other side is told, and the promise rejects with the signal's reason. */
  readonly signal: TimedEnd;
  /** Takes the params of each `notifications/progress` for this request, its own token left out. */
  readonly onProgress?: ((params: Members) => void) | undefined;
  /** Takes the id that the request has, before it leaves. */
  readonly onId?: ((id: RequestId) => void) | undefined;
  /** The other side's request that this one belongs to. */
  readonly relatedRequestId?: RequestId | undefined;
}

interface Pending {
  resolve(result: Members): void;
  reject(error: unknown): void;
  readonly options: AskOptions;
  /** Of the signal. */
  cancel: () => void;
}

const ONCE = { once: true };

/** The requests of this side. */
export interface Asked {
  request(method: string, params: Members | undefined, options: AskOptions): Promise<Members>;
  answered(answer: JsonRpcMessage): void;
  progressed(params: Members): void;
  fail(errors: { readonly pending: Error; readonly later: Error }): void;
}

export function askedRequests(channel: Pick<Channel, 'send'>, log: Log): Asked {
  const pending = new PendingRequests<Pending>();
  let failure: Error | undefined;

  function take(id: RequestId): Pending | undefined {
    const waiting = pending.take(id);
    if (waiting) waiting.options.signal.removeEventListener('abort', waiting.cancel);
    return waiting;
  }

  function cancelled(id: RequestId, method: string): void {
    const waiting = take(id);
    if (!waiting) return;
    const { signal, relatedRequestId } = waiting.options;
    // MCP 2025-11-25, lifecycle: a client must not cancel initialize.
    if (method !== 'initialize') tellCancelled(id, signal.reason, relatedRequestId);
    waiting.reject(signal.reason);
  }

  function tellCancelled(requestId: RequestId, reason: unknown, related: RequestId | undefined): void {
    const text = reason instanceof Error ? reason.message : String(reason ?? 'cancelled');
    const params = { requestId, reason: text };
    channel
      .send({ jsonrpc: '2.0', method: 'notifications/cancelled', params }, { relatedRequestId: related })
      .catch(() => log.debug('a cancellation did not reach the other side', { requestId }));
  }

  return {
    request(method, params, options) {
      const { signal, onId, onProgress, relatedRequestId } = options;
      if (failure) return Promise.reject(failure);
      if (signal.aborted) return Promise.reject(signal.reason);
      return new Promise((resolve, reject) => {
        const waiting: Pending = { resolve, reject, options, cancel: () => cancelled(id, method) };
        const id = pending.add(waiting);
        onId?.(id);
        signal.addEventListener('abort', waiting.cancel, ONCE);
        const told = withProgressToken(params, onProgress && id);
        const request = { jsonrpc: '2.0', id, method, ...(told && { params: told }) } as const;
        channel.send(request, { relatedRequestId }).catch((error) => take(id)?.reject(error));
      });
    },

    answered({ id, result, error }) {
      const waiting = id === undefined ? undefined : take(id);
      if (!waiting) {
        // An answer to a cancelled request is expected; one without an id says what could not be read.
        if (id === undefined) {
          log.warn('the other side answered with an error to no request', { code: error?.code });
        }
        return;
      }
      if (error) waiting.reject(new ProtocolError(error.code, error.message, error.data));
      else waiting.resolve(result ?? {});
    },

    progressed({ progressToken, ...report }) {
      if (isRequestId(progressToken)) pending.get(progressToken)?.options.onProgress?.(report);
    },

    fail(errors) {
      if (failure) return;
      failure = errors.later;
      for (const id of pending.ids()) take(id)?.reject(errors.pending);
    },
  };
}
