import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { StdioServer } from '../../servers.ts';
import { makeScratch } from '../../subjects.ts';
import { call } from '../call.ts';
import { cpuOf } from '../cpu.ts';
import type { GrowthRow } from '../row.ts';

/** How many sessions have all that is open. */
const SESSIONS = 3;

export const openToolboxes: GrowthRow = {
  name: 'open-toolboxes',
  what: 'Toolboxes open at once: opening them all',
  method: `${SESSIONS} sessions of one server each open so many toolboxes, one after the other, each with a server of its own over HTTP on loopback that says it logs; CPU time of Nexus.`,
  unit: 'ms',
  sizes: [30, 100, 300],
  smallSizes: [10, 30, 90],
  async measure(size) {
    await using servers = await startServers();
    using scratch = makeScratch({
      limits: { callsPerSecond: 10_000, burst: 100_000 },
      toolboxes: Object.fromEntries(
        Array.from({ length: size }, (_, at) => [
          `box-${at}`,
          { mcpServers: { only: { url: `${servers.url}/${at}` } } },
        ]),
      ),
    });
    const owner = await scratch.startShared();
    const others: StdioServer[] = [];
    for (let at = 1; at < SESSIONS; at += 1) others.push(await scratch.startShared());
    try {
      return await cpuOf(owner.pid, async () => {
        for (let at = 0; at < size; at += 1) {
          for (const session of [owner, ...others]) {
            await call(session, 'open_toolbox', { toolbox: `box-${at}` });
          }
        }
      });
    } finally {
      for (const session of others) await session.stop();
      await owner.stop();
    }
  },
};

/** As many servers as there are paths: each has one tool, and keeps no session. */
async function startServers(): Promise<AsyncDisposable & { readonly url: string }> {
  const server: Server = createServer(async (request, response) => {
    if (request.method !== 'POST') return void response.writeHead(405).end();
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const { id, method, params = {} } = JSON.parse(body);
    if (id === undefined) return void response.writeHead(202).end();
    const result = answer(method, params);
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

function answer(method: string, { protocolVersion }: { readonly protocolVersion?: string }): object {
  if (method === 'initialize') {
    const serverInfo = { name: 'one-tool', version: '1' };
    return { protocolVersion, serverInfo, capabilities: { tools: {}, logging: {} } };
  }
  if (method !== 'tools/list') return {};
  return { tools: [{ name: 'look', description: 'Looks.', inputSchema: { type: 'object' } }] };
}
