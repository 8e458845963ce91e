import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { ANSWER_MS, endsWithin } from '@nexus/core';
import { describe, expect, it, vi } from 'vitest';
import { httpFixture } from '../../test/http-fixture.ts';
import { open, stdioSettings } from '../../test/stdio-fixture.ts';
import { ConnectionError } from '../connection-error.ts';

describe('a session over Streamable HTTP', () => {
  it('keeps unknown keys of results and their _meta, whether streamed or not', async () => {
    const result = {
      tools: [{ zebra: 1, name: 'one', inputSchema: { 'x-odd': [1] }, _meta: { a: { b: 1 } } }],
      odd: { z: 1, a: null },
      _meta: { 'vendor/x': { deep: true }, 'io.modelcontextprotocol/related-task': { taskId: 't' } },
    };
    await using server = await httpFixture(({ json, stream, message, response }) => {
      if (message.method === 'json') json({ result });
      else stream({ id: message.id, result });
      response.end();
    });
    await using opened = await open(server.settings());
    for (const method of ['json', 'stream']) {
      const got = await opened.connection.request(method, undefined, { signal: endsWithin(ANSWER_MS) });
      expect(got).toEqual(result);
      expect(JSON.stringify(got.tools)).toBe(JSON.stringify(result.tools));
    }
  });

  it('states in _meta where a number of a result is not as it was sent', async () => {
    await using server = await httpFixture(({ message, response }) => {
      const json = `{"jsonrpc":"2.0","id":${message.id},"result":{"rows":[{"über":9007199254740993}]}}`;
      const isStream = message.method === 'stream';
      response.writeHead(200, { 'content-type': isStream ? 'text/event-stream' : 'application/json' });
      response.end(isStream ? `event: message\nid: 9007199254740993\ndata: ${json}\n\n` : json);
    });
    await using opened = await open(server.settings());
    for (const method of ['json', 'stream']) {
      const got = await opened.connection.request(method, undefined, { signal: endsWithin(ANSWER_MS) });
      expect(got._meta, method).toEqual({ 'nexus/rounded': ['rows.0.über'] });
    }
  });

  it('sends the headers of the settings and the agreed version with each message', async () => {
    const seen: unknown[] = [];
    await using server = await httpFixture(({ request, json }) => {
      seen.push(
        request.headers['x-api-key'],
        request.headers['mcp-protocol-version'],
        request.headers['mcp-session-id'],
      );
      json({ result: {} });
    });
    await using opened = await open(server.settings({ headers: { 'X-Api-Key': 'sesame-1234' } }));
    await opened.connection.request('x', undefined, { signal: endsWithin(ANSWER_MS) });
    expect(seen).toEqual(['sesame-1234', '2025-11-25', 'session-1']);
  });

  it('is ended at the server when it is closed', async () => {
    await using server = await httpFixture(() => {});
    const { connection } = await open(server.settings());
    const hanging = expect(
      connection.request('x', undefined, { signal: endsWithin(ANSWER_MS) }),
    ).rejects.toThrow('Server "fixture" was closed.');
    await connection.close();
    await hanging;
    expect(server.heard.at(-1)).toBe('DELETE');
    expect(await connection.closed).toEqual({ reason: 'was closed' });
  });

  it('counts as ended when the server has forgotten it', async () => {
    await using server = await httpFixture(({ json }) =>
      json({ error: { code: -32001, message: 'no session' } }, 404),
    );
    const { connection } = await open(server.settings());
    await expect(connection.request('x', undefined, { signal: endsWithin(ANSWER_MS) })).rejects.toThrow(
      'Server "fixture" ended the session (HTTP 404).',
    );
    expect(await connection.closed).toEqual({ reason: 'ended the session (HTTP 404)' });
  });

  it('counts as ended when nothing listens there any more', async () => {
    await using server = await httpFixture(() => {});
    const { connection } = await open(server.settings());
    server.server.close();
    server.server.closeAllConnections();
    await expect(connection.request('x', undefined, { signal: endsWithin(ANSWER_MS) })).rejects.toThrow(
      /can't be reached at http:.*\(ECONNREFUSED\)/,
    );
    expect((await connection.closed).reason).toMatch(/can't be reached/);
  });

  it('fails a call whose stream breaks off, and no other', async () => {
    await using server = await httpFixture(({ message, stream, response, json }) => {
      if (message.method === 'fine') return json({ result: { fine: true } });
      stream({ method: 'notifications/message', params: { data: 'working' } });
      if (message.method === 'broken') setTimeout(() => response.destroy(), 20);
      else response.end();
    });
    await using opened = await open(server.settings());
    for (const method of ['broken', 'ended']) {
      const failed = opened.connection.request(method, undefined, { signal: endsWithin(ANSWER_MS) });
      await expect(failed).rejects.toThrow(ConnectionError);
      await expect(failed).rejects.toThrow('closed the stream before it answered');
    }
    expect(await opened.connection.request('fine', undefined, { signal: endsWithin(ANSWER_MS) })).toEqual({
      fine: true,
    });
    expect(opened.heard).toHaveLength(2);
  });

  it('fails with status and text, secrets masked, where the server refuses', async () => {
    await using server = await httpFixture(({ response }) => {
      response.writeHead(500).end(`key sesame-1234 was not expected ${'x'.repeat(1000)}`);
    });
    await using opened = await open(server.settings({ headers: { 'x-api-key': 'sesame-1234' } }));
    const error = await opened.connection
      .request('x', undefined, { signal: endsWithin(ANSWER_MS) })
      .catch((thrown: Error) => thrown);
    expect(String(error)).toMatch(
      /Server "fixture" answered with HTTP 500: .*key \*{8} was not expected x+… \(\d+ more characters\)/,
    );
  });

  it('does not begin where no server is, and says so', async () => {
    const port = await freePort();
    const settings = { ...stdioSettings(), url: `http://127.0.0.1:${port}/mcp` };
    await expect(open({ ...settings, transport: 'http' })).rejects.toThrow(
      /can't be reached at .*ECONNREFUSED/,
    );
    await expect(open({ ...settings, transport: 'sse' })).rejects.toThrow(
      /Server "fixture" failed: .*ECONNREFUSED/,
    );
  });

  it('says why where the address itself is refused', async () => {
    const settings = { ...stdioSettings(), url: 'http://127.0.0.1:9/mcp' };
    await expect(open({ ...settings, transport: 'http' })).rejects.toThrow(/failed: .*\(bad port\)/);
  });
});

describe('a server that takes the connection and says nothing', () => {
  it.each(['http', 'sse'] as const)(
    'is not waited for longer than the handshake may take, over %s',
    async (transport) => {
      const server = createServer().listen(0, '127.0.0.1');
      const sockets: { destroy(): void }[] = [];
      server.on('connection', (socket) => sockets.push(socket));
      await once(server, 'listening');
      const { port } = server.address() as { port: number };
      const settings = { ...stdioSettings(), transport, url: `http://127.0.0.1:${port}/x` };
      const failed = open(settings, { timeoutMs: 300 });
      await expect(failed).rejects.toThrow(ConnectionError);
      await expect(failed).rejects.toThrow('Server "fixture" did not finish its start within 300 ms.');
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  );
});

describe.each([
  ['http', 'streamableHttp', 'mcp'],
  ['sse', 'sse', 'sse'],
] as const)('server-everything over %s', (transport, mode, path) => {
  it('lists, calls, reports progress and asks', async () => {
    const port = await freePort();
    await using server = await everything(mode, port);
    const asked: string[] = [];
    const listener = {
      notification() {},
      async request(method: string) {
        asked.push(method);
        const content = { type: 'text', text: 'sampled' };
        return method === 'roots/list' ? { roots: [] } : { role: 'assistant', model: 'none', content };
      },
    };
    const settings = { ...stdioSettings(), transport, url: `http://127.0.0.1:${server.port}/${path}` };
    await using opened = await open(settings, { listener });
    const { connection } = opened;
    const tools = await connection.list('tools/list', 'tools', { signal: endsWithin(ANSWER_MS) });
    expect(tools.map((tool) => (tool as { name: string }).name)).toContain('echo');
    const onProgress = vi.fn();
    const long = { name: 'trigger-long-running-operation', arguments: { duration: 0.3, steps: 3 } };
    await connection.request('tools/call', long, { signal: endsWithin(ANSWER_MS), onProgress });
    expect(onProgress.mock.calls.map(([{ progress }]) => progress)).toEqual([1, 2, 3]);
    const sampling = { name: 'trigger-sampling-request', arguments: { prompt: 'x', maxTokens: 5 } };
    expect(
      JSON.stringify(await connection.request('tools/call', sampling, { signal: endsWithin(ANSWER_MS) })),
    ).toContain('sampled');
    expect(asked).toContain('sampling/createMessage');
  });

  it('is told of as ended when its server dies', async () => {
    const port = await freePort();
    await using server = await everything(mode, port);
    const settings = { ...stdioSettings(), transport, url: `http://127.0.0.1:${server.port}/${path}` };
    await using opened = await open(settings);
    const long = { name: 'trigger-long-running-operation', arguments: { duration: 60, steps: 1 } };
    const failed = opened.connection.request('tools/call', long, {
      signal: endsWithin(ANSWER_MS),
      onProgress() {},
    });
    failed.catch(() => {});
    await server.kill();
    await expect(failed).rejects.toThrow(ConnectionError);
    await expect(
      opened.connection.request('ping', undefined, { signal: endsWithin(ANSWER_MS) }),
    ).rejects.toThrow(ConnectionError);
    expect((await opened.connection.closed).reason).not.toBe('was closed');
  });
});

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  return typeof address === 'object' ? Number(address?.port) : 0;
}

async function everything(mode: string, port: number) {
  const program = createRequire(import.meta.url).resolve(
    '@modelcontextprotocol/server-everything/dist/index.js',
  );
  const child = spawn(process.execPath, [program, mode], {
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const exited = once(child, 'exit');
  await new Promise<void>((resolve) => {
    child.stderr.on('data', (chunk) => /listening|running on port/i.test(String(chunk)) && resolve());
  });
  const kill = async () => {
    child.kill('SIGKILL');
    await exited;
  };
  return { port, kill, [Symbol.asyncDispose]: kill };
}
