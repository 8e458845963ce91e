import { once } from 'node:events';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type McpClient, postHeaders, type Target } from './mcp-client.ts';

/** Connections that say nothing, or half a request, and stay. */
const SILENT = 300;
const GIANT_BYTES = 64 * 1024 * 1024;

/** A client that keeps to no rule, mostly without a token. */
export async function attackByHttp(client: McpClient, target: Target, goesOn: () => boolean): Promise<void> {
  const silent: Socket[] = [];
  while (goesOn()) {
    stayRefilled(silent, target);
    await Promise.all([
      giantBody(target, postHeaders('wrong')),
      giantBody(target, postHeaders(target.token, client.sessionId)),
      manyWrongTokens(target),
      neverRead(client, target),
    ]);
  }
  for (const socket of silent) socket.destroy();
}

function stayRefilled(silent: Socket[], { url }: Target): void {
  const { hostname, port } = new URL(url);
  for (let at = 0; at < SILENT; at += 1) {
    if (silent[at]?.destroyed === false) continue;
    const socket = connect({ host: hostname, port: Number(port) }).on('error', () => {});
    if (at % 2) socket.write('POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ');
    silent[at] = socket;
  }
}

async function giantBody({ url }: Target, headers: Record<string, string>): Promise<void> {
  const outgoing = request(url, { method: 'POST', headers, agent: false });
  let isDone = false;
  const done = new Promise<void>((resolve) => {
    outgoing.on('error', resolve).on('close', resolve);
    outgoing.on('response', (response) => response.resume().on('close', resolve).on('error', resolve));
  }).then(() => {
    isDone = true;
  });
  const part = Buffer.alloc(256 * 1024, '[');
  for (let sent = 0; sent < GIANT_BYTES && !isDone; sent += part.length) {
    if (!outgoing.write(part)) await Promise.race([once(outgoing, 'drain').catch(() => {}), done]);
  }
  outgoing.end();
  await Promise.race([done, sleep(2_000)]);
  outgoing.destroy();
}

async function manyWrongTokens({ url }: Target): Promise<void> {
  await Promise.all(
    Array.from({ length: 50 }, async (_, at) => {
      const headers = postHeaders(`${'x'.repeat(8_000)}${at}`);
      await fetch(url, { method: 'POST', headers, body: '{}' }).then(
        (response) => response.text(),
        () => {},
      );
    }),
  );
}

/** Asks for a large answer and does not read it. */
async function neverRead(client: McpClient, { url, token }: Target): Promise<void> {
  const { hostname, port } = new URL(url);
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 'unread',
    method: 'tools/call',
    params: { name: 'slow_echo', arguments: { text: 'x'.repeat(3_000_000) } },
  });
  const headers = Object.entries({
    ...postHeaders(token, client.sessionId),
    host: `${hostname}:${port}`,
    'content-length': String(Buffer.byteLength(body)),
  });
  const socket = connect({ host: hostname, port: Number(port) }).on('error', () => {});
  const head = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  socket.pause().write(`POST /mcp HTTP/1.1\r\n${head}\r\n${body}`);
  await sleep(300);
  socket.destroy();
}
