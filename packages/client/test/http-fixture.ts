import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { ConnectionSettings } from '../src/settings.ts';
import { stdioSettings } from './stdio-fixture.ts';

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly message: Message;
  /** Writes messages as events of a stream; the response stays open. */
  stream(...messages: object[]): void;
  json(message: object, status?: number): void;
}

export interface HttpFixture extends AsyncDisposable {
  readonly url: string;
  readonly server: Server;
  /** `POST initialize`, `GET`, `DELETE`: what came, in order. */
  readonly heard: readonly string[];
  settings(given?: Partial<ConnectionSettings>): ConnectionSettings;
}

const SESSION = { 'mcp-session-id': 'session-1' };

/** A Streamable HTTP server written out: initialize is answered, everything else is the test's. */
export async function httpFixture(answer: (exchange: Exchange) => void): Promise<HttpFixture> {
  const heard: string[] = [];
  const server = createServer(async (request, response) => {
    const message: Message = request.method === 'POST' ? JSON.parse(await read(request)) : {};
    heard.push([request.method, message.method].filter(Boolean).join(' '));
    if (request.method !== 'POST') {
      response.writeHead(request.method === 'GET' ? 405 : 200).end();
      return;
    }
    const stream = (...messages: object[]) => {
      if (!response.headersSent) response.writeHead(200, { 'content-type': 'text/event-stream', ...SESSION });
      for (const each of messages) response.write(`data: ${JSON.stringify({ jsonrpc: '2.0', ...each })}\n\n`);
    };
    const json = (given: object, status = 200) => {
      response.writeHead(status, { 'content-type': 'application/json', ...SESSION });
      response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, ...given }));
    };
    if (message.method === 'initialize') {
      const { protocolVersion } = message.params ?? {};
      json({ result: { protocolVersion, capabilities: {}, serverInfo: { name: 'http', version: '1' } } });
    } else if (message.id === undefined) {
      response.writeHead(202).end();
    } else {
      answer({ request, response, message, stream, json });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const url = `http://127.0.0.1:${port}/mcp`;
  return {
    url,
    server,
    heard,
    settings: (given) => ({
      ...stdioSettings(),
      transport: 'http',
      command: undefined,
      args: [],
      url,
      ...given,
    }),
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function read(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += chunk;
  return text;
}
