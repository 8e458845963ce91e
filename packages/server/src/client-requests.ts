import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { type ClientRequests, ProtocolError } from '@nexus/core';
import { type ElicitationRequest, type SamplingAnswer, ToolError } from '@nexus/plugin-sdk';
import { z } from 'zod';
import type { LazySchemaValidator } from './lazy-schema-validator.ts';

/** What the client must have declared to be asked this. */
const CAPABILITY_OF: Readonly<Record<string, 'sampling' | 'elicitation' | 'roots'>> = {
  'sampling/createMessage': 'sampling',
  'elicitation/create': 'elicitation',
  'roots/list': 'roots',
};
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
      const offered = server.getClientCapabilities()?.sampling;
      if (!offered) throw notOffered('sampling');
      if (request.tools && !offered.tools) throw notOffered('sampling with tools');
      const answer = await asked(signal, () => server.createMessage(request as never, options(signal)));
      return answer as unknown as SamplingAnswer;
    },
    async elicit(request, signal) {
      const offered = server.getClientCapabilities()?.elicitation;
      const isForm = 'requestedSchema' in request;
      // A client that names neither mode offers forms (MCP 2025-11-25, Elicitation, Capabilities).
      const hasMode = isForm ? offered?.form || !offered?.url : offered?.url;
      if (!offered || !hasMode) throw notOffered(isForm ? 'forms for its user' : 'pages for its user');
      if (isForm) await validator.load();
      const { action, content } = await asked(signal, () =>
        server.elicitInput(elicitParams(request) as never, options(signal)),
      );
      return { action, ...(content === undefined ? {} : { content }) };
    },
    async pass(method, params, signal) {
      const capability = CAPABILITY_OF[method];
      if (capability && !server.getClientCapabilities()?.[capability]) throw notOffered(capability);
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

function notOffered(what: string): ToolError {
  return new ToolError('NEXUS_UNAVAILABLE', `The client of this call does not offer ${what}.`);
}

/** As the client wrote it: the SDK puts the code in front of each error's message. */
function withoutPrefix(message: string): string {
  return message.replace(/^MCP error -?\d+: /, '');
}
