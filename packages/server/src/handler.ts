import { JSON_RPC, ProtocolError } from '@nexus/core';
import type { Members, RequestExtra } from '@nexus/core/json-rpc';
import { isToolError, type Log } from '@nexus/plugin-sdk';
import { assertParams } from './params/assert-params.ts';

export type { RequestExtra };

/** Answers the requests of one method; its params are what the protocol has them be. */
export type Handler = (params: Members, extra: RequestExtra) => Promise<Members>;

/** One way into all of them: what no handler knows is refused, and a fault of ours leaves no more than its number. */
export function byMethod(handlers: Readonly<Record<string, Handler>>, log: Log) {
  return async (method: string, params: Members, extra: RequestExtra): Promise<Members> => {
    assertParams(method, params);
    const handler = Object.hasOwn(handlers, method) ? handlers[method] : undefined;
    if (!handler) throw new ProtocolError(JSON_RPC.methodNotFound, `Method not found: ${method}`);
    try {
      return await handler(params, extra);
    } catch (error) {
      if (error instanceof ProtocolError || isToolError(error) || extra.end.aborted) throw error;
      const correlationId = crypto.randomUUID();
      log.error('a request failed', { method, correlationId, err: error });
      const text = `Internal error in ${method}; the server's log has its cause under ${correlationId}`;
      throw new ProtocolError(JSON_RPC.internalError, text, { correlationId }, error);
    }
  };
}
