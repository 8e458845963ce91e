import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Authenticate } from './auth/authenticate.ts';
import { challenge, resourceMetadata } from './auth/resource-metadata.ts';
import { corsHeaders, preflight } from './cors.ts';
import type { Guard } from './guard.ts';
import { type mcpEndpoint, RETRY_LATER } from './mcp-endpoint.ts';
import type { HttpOptions } from './options.ts';
import { refuse, sendJson } from './respond.ts';

interface RouterParts {
  readonly guard: Guard;
  readonly authenticate: Authenticate;
  /** Told of each connection whose request has passed that. */
  proved(socket: Socket): void;
  readonly mcp: ReturnType<typeof mcpEndpoint>;
  isDraining(): boolean;
}

type Route = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Host and Origin first, then what may be known without a token, then who calls. */
export function createRouter(
  options: HttpOptions,
  { guard, authenticate, proved, mcp, isDraining }: RouterParts,
): Route {
  const baseUrl = ({ headers }: IncomingMessage) =>
    options.publicUrl?.replace(/\/$/, '') ?? `${options.tls ? 'https' : 'http'}://${headers.host}`;

  const open: Readonly<Record<string, Route>> = {
    '/healthz': async (_request, response) => sendJson(response, 200, { status: 'ok' }),
    '/readyz': async (_request, response) =>
      isDraining()
        ? sendJson(response, 503, { status: 'stopping' }, RETRY_LATER)
        : sendJson(response, 200, { status: 'ok' }),
    '/.well-known/oauth-protected-resource': metadata,
    '/.well-known/oauth-protected-resource/mcp': metadata,
  };

  async function metadata(request: IncomingMessage, response: ServerResponse): Promise<void> {
    sendJson(response, 200, resourceMetadata(baseUrl(request), options.auth?.jwt?.issuer));
  }

  async function sendMetrics(response: ServerResponse): Promise<void> {
    const { contentType, text } = await options.metrics();
    response.writeHead(200, { 'content-type': contentType }).end(text);
  }

  return async (request, response) => {
    const { headers, method } = request;
    const fault = guard.fault(headers);
    if (fault) return refuse(response, { status: 403, message: fault });
    for (const [name, value] of Object.entries(corsHeaders(headers.origin))) response.setHeader(name, value);
    if (method === 'OPTIONS') return preflight(response);
    const [path = ''] = (request.url ?? '').split('?');
    const isRead = method === 'GET' || method === 'HEAD';
    const openRoute = isRead && Object.hasOwn(open, path) ? open[path] : undefined;
    if (openRoute) return openRoute(request, response);
    const isMetrics = isRead && path === '/metrics';
    if (path !== '/mcp' && !isMetrics)
      return refuse(response, { status: 404, message: `nothing is at ${path}` });
    const verdict = await authenticate(headers.authorization);
    if ('fault' in verdict) return refuse(response, challenge(verdict, baseUrl(request)));
    proved(request.socket);
    await (isMetrics ? sendMetrics(response) : mcp({ request, response, access: verdict }));
  };
}
