import { JSON_RPC, ProtocolError } from '@nexus/core';
import { isToolError, type Log } from '@nexus/plugin-sdk';
import type { CatalogueSession } from './catalogue-session.ts';
import type { Handler } from './direct-requests.ts';
import { paramsFault } from './inward.ts';
import { serveCompletions } from './serve-completions.ts';
import { servePrompts } from './serve-prompts.ts';
import { serveResources } from './serve-resources.ts';

/**
 * `resources/…`, `prompts/…` and `completion/complete`, by method. Definitions and results of other servers
 * leave as they came: the SDK's schemas would drop the keys they do not know.
 */
export function serveCatalogue(session: CatalogueSession): Readonly<Record<string, Handler>> {
  const handlers = { ...serveResources(session), ...servePrompts(session), ...serveCompletions(session) };
  return Object.fromEntries(
    Object.entries(handlers).map(([method, handler]) => [method, guarded(method, handler, session.log)]),
  );
}

/** Params are what the protocol has them be, and a fault of ours leaves no more than its number. */
function guarded(method: string, handler: Handler, log: Log): Handler {
  return async (params, extra) => {
    const fault = paramsFault({ jsonrpc: '2.0', method, params });
    if (fault) throw fault;
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
