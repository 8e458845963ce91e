import { type Channel, isRecord, JSON_RPC, type JsonRpcMessage, RequestEnd } from '@nexus/core';
import { isToolError } from '@nexus/plugin-sdk';
import { paramsFault } from './inward.ts';

type Id = string | number;

/** A key of `_meta` with a shape of its own (MCP 2025-11-25, Tasks). */
const RELATED_TASK = 'io.modelcontextprotocol/related-task';

/** What a handler learns of its request. */
export interface RequestExtra {
  /** Fires when the client cancels the request, or has gone. */
  readonly end: RequestEnd;
  readonly requestId: Id;
}

export type Handler = (
  params: Readonly<Record<string, unknown>>,
  extra: RequestExtra,
) => Promise<Readonly<Record<string, unknown>>>;

/**
 * Requests answered past the SDK: their params are this server's own to judge (the SDK strips and rewords
 * them), and what the SDK checks of every message costs as much as a whole call.
 */
export interface DirectRequests {
  /**
   * Answers the request, and calls `settled` when that has left or will never be.
   * @returns false for a method that is the SDK's
   */
  take(request: JsonRpcMessage, settled: () => void): boolean;
  /** The client wants no answer any more, and gets none. */
  cancel(id: unknown): void;
  /** The client has gone. */
  end(): void;
}

export function directRequests(
  handlers: Readonly<Record<string, Handler>>,
  channel: Pick<Channel, 'send'>,
): DirectRequests {
  const running = new Map<unknown, RequestEnd>();

  async function answer(handler: Handler, request: JsonRpcMessage, id: Id): Promise<void> {
    const end = new RequestEnd();
    running.set(id, end);
    let reply: Pick<JsonRpcMessage, 'result' | 'error'>;
    try {
      const { params = {} } = request;
      const fault = hasPlainMeta(params) ? undefined : paramsFault(request);
      if (fault) throw fault;
      reply = { result: await handler(params, { end, requestId: id }) };
    } catch (error) {
      reply = { error: toRpcError(error) };
    }
    running.delete(id);
    if (!end.aborted) await channel.send({ jsonrpc: '2.0', id, ...reply });
  }

  return {
    take(request, settled) {
      const { method = '', id } = request;
      const handler = Object.hasOwn(handlers, method) ? handlers[method] : undefined;
      if (!handler || id === undefined) return false;
      void answer(handler, request, id).finally(settled);
      return true;
    },
    cancel(id) {
      running.get(id)?.end();
    },
    end() {
      for (const end of running.values()) end.end();
    },
  };
}

/** Nothing in it that the protocol gives a shape to but a progress token of the right type. */
function hasPlainMeta({ _meta: meta }: Readonly<Record<string, unknown>>): boolean {
  if (meta === undefined) return true;
  if (!isRecord(meta) || RELATED_TASK in meta) return false;
  const { progressToken } = meta;
  return progressToken === undefined || typeof progressToken === 'string' || Number.isInteger(progressToken);
}

/** A ProtocolError as it stands; anything else but a ToolError is a fault of ours, which the handler has logged. */
function toRpcError(error: unknown): NonNullable<JsonRpcMessage['error']> {
  if (isToolError(error)) {
    return { code: JSON_RPC.internalError, message: error.message, data: { code: error.code } };
  }
  const { code, message, data } = error as { code?: unknown; message?: string; data?: unknown };
  return {
    code: Number.isSafeInteger(code) ? Number(code) : JSON_RPC.internalError,
    message: message ?? 'Internal error',
    ...(data === undefined ? {} : { data }),
  };
}
