import { JSON_RPC, ProtocolError } from '@nexus/core';
import type { Members, RequestExtra } from '@nexus/core/json-rpc';
import { isToolError, type Log } from '@nexus/plugin-sdk';
import { assertParams } from './params/assert-params.ts';

export type { RequestExtra };

/** Answers the requests of one method; its params are what the protocol has them be. */
export type Handler = (params: Members, extra: RequestExtra) => Promise<Members>;

/** One way into all of them: what no handler knows is refused, and a fault of ours leaves no more than its number. */
export function byMethod(handlers: Readonly<Record<string, Handler>>, log: Log) {
  const failed = (method: string, end: RequestExtra['end']) => (error: unknown) => {
    if (error instanceof ProtocolError || isToolError(error) || end.aborted) throw error;
    const correlationId = crypto.randomUUID();
    log.error('a request failed', { method, correlationId, err: error });
    const text = `Internal error in ${method}; the server's log has its cause under ${correlationId}`;
    throw new ProtocolError(JSON_RPC.internalError, text, { correlationId }, error);
  };
  return (method: string, params: Members, extra: RequestExtra): Promise<Members> => {
    const handler = Object.hasOwn(handlers, method) ? handlers[method] : undefined;
    try {
      assertParams(method, params);
      if (!handler) throw new ProtocolError(JSON_RPC.methodNotFound, `Method not found: ${method}`);
    } catch (fault) {
      return Promise.reject(fault);
    }
    return handler(params, extra).catch(failed(method, extra.end));
  };
}
