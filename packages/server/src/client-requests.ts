import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { type ClientRequests, ProtocolError } from '@nexus/core';
import { type ElicitationRequest, type SamplingAnswer, ToolError } from '@nexus/plugin-sdk';
import { z } from 'zod';
import type { LazySchemaValidator } from './lazy-schema-validator.ts';
import { assertOffered } from './offered.ts';

const AnyResult = z.looseObject({});

/** No limit of its own: the call's deadline ends the request, whose signal it is. */
const NO_TIMEOUT_MS = 2 ** 31 - 1;

/**
 * What tools of one call may ask the client, tied to the call so that the transport sends it the call's
 * way. The SDK checks forms that come back against their schema.
 */
export function clientRequests(
  server: Server,
  validator: LazySchemaValidator,
  requestId: string | number,
): ClientRequests {
  const options = (signal: AbortSignal) => ({ signal, timeout: NO_TIMEOUT_MS, relatedRequestId: requestId });
  return {
    async sample(request, signal) {
      assertOffered(server, 'sampling/createMessage', { ...request });
      const answer = await asked(signal, () => server.createMessage(request as never, options(signal)));
      return answer as unknown as SamplingAnswer;
    },
    async elicit(request, signal) {
      const params = elicitParams(request);
      assertOffered(server, 'elicitation/create', params);
      if (params.mode === 'form') await validator.load();
      const { action, content } = await asked(signal, () =>
        server.elicitInput(params as never, options(signal)),
      );
      return { action, ...(content === undefined ? {} : { content }) };
    },
    async pass(method, params, signal) {
      assertOffered(server, method, params);
      try {
        return await server.request({ method, params } as never, AnyResult, options(signal));
      } catch (error) {
        if (signal.aborted) throw signal.reason;
        const { code, message, data } = error as { code?: number; message: string; data?: unknown };
        throw code === undefined ? error : new ProtocolError(code, withoutPrefix(message), data, error);
      }
    },
  };
}

function elicitParams(request: ElicitationRequest): Record<string, unknown> {
  if ('requestedSchema' in request) return { mode: 'form', ...request };
  return { mode: 'url', elicitationId: crypto.randomUUID(), ...request };
}

async function asked<Answer>(signal: AbortSignal, ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask();
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    const text = `The client did not answer as asked: ${(error as Error).message}`;
    throw new ToolError('NEXUS_REFUSED', text, { cause: error });
  }
}

/** As the client wrote it: the SDK puts the code in front of each error's message. */
function withoutPrefix(message: string): string {
  return message.replace(/^MCP error -?\d+: /, '');
}
