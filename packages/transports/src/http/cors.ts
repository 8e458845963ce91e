import type { ServerResponse } from 'node:http';

/** For a page whose Origin has passed the guard: without these its browser keeps the answer from it. */
export function corsHeaders(origin: string | undefined): Readonly<Record<string, string>> {
  if (origin === undefined) return {};
  return {
    'access-control-allow-origin': origin,
    'access-control-expose-headers': 'Mcp-Session-Id, WWW-Authenticate, Retry-After',
    vary: 'Origin',
  };
}

/** What a browser asks before it sends a request of the page's. */
export function preflight(response: ServerResponse): void {
  response.writeHead(204, {
    'access-control-allow-methods': 'GET, POST, DELETE',
    'access-control-allow-headers':
      'Authorization, Content-Type, Accept, Mcp-Session-Id, Mcp-Protocol-Version, Last-Event-ID',
    'access-control-max-age': '600',
  });
  response.end();
}
