import type { IncomingMessage, ServerResponse } from 'node:http';
import type { JsonRpcMessage } from '@nexus/core';
import { readInTurns, readLine } from '../json-lines/index.ts';
import type { Access } from './auth/authenticate.ts';
import { getFault, postFault, single, versionFault } from './headers.ts';
import type { HttpLimits } from './options.ts';
import { readBody } from './read-body.ts';
import { type Refusal, refuse } from './respond.ts';
import type { HttpSession } from './session-channel.ts';
import type { Sessions } from './sessions.ts';

/** Bytes of a body beyond which others have their turn between its reading and its work. */
const LONG_BYTES = 256 * 1024;

export const RETRY_LATER = { 'retry-after': '5' };

interface McpCall {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** What sessions are bound to. */
  readonly access: Access;
}

export interface McpEndpointOptions {
  readonly sessions: Sessions;
  readonly limits: HttpLimits;
  isDraining(): boolean;
}

const STOPPING = 'the server is stopping; call again once it is back';

type Request = JsonRpcMessage & { readonly id: string | number };

/** `/mcp`, by method (MCP 2025-11-25, Streamable HTTP). */
export function mcpEndpoint(options: McpEndpointOptions): (call: McpCall) => Promise<void> {
  const { sessions, limits, isDraining } = options;

  /** The session that the request names, or the refusal it deserves. */
  function find({ request, access }: McpCall): HttpSession | Refusal {
    const id = single(request.headers['mcp-session-id']);
    if (id === undefined) {
      return { status: 400, message: 'Mcp-Session-Id is missing; only initialize goes without' };
    }
    return (
      sessions.get(id, access) ?? {
        status: 404,
        message: 'the session has ended or never was; initialize a new one',
      }
    );
  }

  function admit(message: Request, call: McpCall): HttpSession | Refusal {
    const { id, method } = message;
    if (isDraining()) return { status: 503, id, message: STOPPING, headers: RETRY_LATER };
    const isNew = call.request.headers['mcp-session-id'] === undefined;
    if (method === 'initialize') {
      if (!isNew)
        return { status: 400, id, message: 'initialize opens a session and goes without Mcp-Session-Id' };
      const message = `${limits.maxSessions} sessions are open, as many as http.maxSessions allows`;
      return sessions.open(call.access) ?? { status: 503, id, message, headers: RETRY_LATER };
    }
    const session = find(call);
    if ('status' in session) return { ...session, id };
    if (session.isPending(id)) {
      return {
        status: 400,
        id,
        message: `a request of id ${JSON.stringify(id)} waits for its answer already`,
      };
    }
    if (session.inFlight < limits.maxInFlight) return session;
    const busy = `${limits.maxInFlight} requests of this session wait for their answers, as many as http.maxInFlight allows`;
    return { status: 429, id, message: busy, headers: { 'retry-after': '1' } };
  }

  async function post(call: McpCall): Promise<Refusal | undefined> {
    const { request, response } = call;
    const cameAtMs = performance.now();
    const fault = postFault(request.headers);
    if (fault) return fault;
    const body = await readBody(request, limits.maxBodyBytes);
    if (!body) {
      const message = `the body is longer than ${limits.maxBodyBytes} bytes (http.maxBodyBytes in the config)`;
      return { status: 413, message, headers: { connection: 'close' } };
    }
    const read = body.length > LONG_BYTES ? await readInTurns(body) : readLine(body);
    const parsed = read ?? { kind: 'dropped', reason: 'the body is empty' };
    if (parsed.kind === 'refused') return { status: 400, id: parsed.id, ...parsed.error };
    if (parsed.kind === 'dropped') return { status: 400, message: parsed.reason };
    const { message } = parsed;
    const session = isRequest(message) ? admit(message, call) : find(call);
    if ('status' in session) return session;
    if (isRequest(message)) {
      session.request(message, response, cameAtMs);
    } else {
      session.accept(message);
      response.writeHead(202).end();
    }
    return undefined;
  }

  async function get(call: McpCall): Promise<Refusal | undefined> {
    const { request, response } = call;
    const fault = getFault(request.headers);
    if (fault) return fault;
    if (isDraining()) return { status: 503, message: STOPPING, headers: RETRY_LATER };
    const session = find(call);
    if ('status' in session) return session;
    const outcome = session.listen(response, single(request.headers['last-event-id']));
    // Tells a client to stop coming back (HTML, Server-sent events, section 9.2.3).
    if (outcome === 'exhausted') response.writeHead(204).end();
    if (outcome !== 'unknown') return undefined;
    return { status: 400, message: 'Last-Event-ID names no stream that is kept; listen anew without it' };
  }

  async function remove(call: McpCall): Promise<Refusal | undefined> {
    const { request, response } = call;
    const session = versionFault(request.headers) ?? find(call);
    if ('status' in session) return session;
    sessions.end(session.id);
    response.writeHead(200).end();
    return undefined;
  }

  const methods: ReadonlyMap<string, (call: McpCall) => Promise<Refusal | undefined>> = new Map([
    ['GET', get],
    ['POST', post],
    ['DELETE', remove],
  ]);
  const allow = [...methods.keys()].join(', ');
  return async (call) => {
    const { method = '' } = call.request;
    const refused = {
      status: 405,
      message: `${method} is not served; allowed: ${allow}`,
      headers: { allow },
    };
    const serve = methods.get(method);
    const refusal = serve ? await serve(call) : refused;
    if (refusal) refuse(call.response, refusal);
  };
}

function isRequest(message: JsonRpcMessage): message is Request {
  return message.method !== undefined && message.id !== undefined;
}
