import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** As many servers as there are paths: each has the tools that are given for its path, and keeps no session. */
export async function startServers(
  toolsOf: (path: string) => readonly object[],
): Promise<AsyncDisposable & { readonly url: string }> {
  const server: Server = createServer(async (request, response) => {
    if (request.method !== 'POST') return void response.writeHead(405).end();
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const { id, method, params = {} } = JSON.parse(body);
    if (id === undefined) return void response.writeHead(202).end();
    const result = answer(method, params, () => toolsOf(request.url ?? ''));
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ jsonrpc: '2.0', id, result }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function answer(
  method: string,
  { protocolVersion }: { readonly protocolVersion?: string },
  tools: () => readonly object[],
): object {
  if (method === 'initialize') {
    const serverInfo = { name: 'one-tool', version: '1' };
    return { protocolVersion, serverInfo, capabilities: { tools: {}, logging: {} } };
  }
  return method === 'tools/list' ? { tools: tools() } : {};
}
