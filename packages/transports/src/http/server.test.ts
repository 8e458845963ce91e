import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:https';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { answerOf } from '../../test/http-client.ts';
import { startHttpTest, TOKEN } from '../../test/http-server.ts';

const ping = { jsonrpc: '2.0', id: 1, method: 'ping', params: {} };

function socketTo(url: string): Socket {
  const { port } = new URL(url);
  return connect({ host: '127.0.0.1', port: Number(port) })
    .on('error', () => {})
    .resume();
}

const closed = (socket: Socket) => new Promise<void>((resolve) => socket.once('close', () => resolve()));

describe('Host and Origin', () => {
  it('are looked at before all else', async () => {
    await using http = await startHttpTest();
    for (const path of ['/mcp', '/healthz', '/metrics', '/.well-known/oauth-protected-resource']) {
      for (const headers of [{ host: 'evil.example.com' }, { origin: 'http://evil.example.com' }]) {
        const answer = await http.client.send({
          path,
          method: 'GET',
          headers: headers as Record<string, string>,
        });
        expect(answer.status, path).toBe(403);
        expect(answer.headers['access-control-allow-origin']).toBeUndefined();
      }
    }
  });

  it('that may call read the answer in a browser, too', async () => {
    const origin = 'https://tools.example.com';
    await using http = await startHttpTest({ allowedOrigins: [origin], allowedHosts: ['nexus.example.com'] });
    const headers = { origin, host: 'nexus.example.com' };
    const asked = await http.client.send({ method: 'OPTIONS', token: null, headers });
    expect(asked.status).toBe(204);
    expect(asked.headers['access-control-allow-headers']).toContain('Authorization');
    const answer = await http.client.send({ body: { ...ping, method: 'initialize' }, headers });
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-expose-headers': expect.stringContaining('Mcp-Session-Id'),
      vary: 'Origin',
    });
  });
});

describe('the public URL', () => {
  it('is where the metadata says that the server is', async () => {
    await using http = await startHttpTest({ publicUrl: 'https://nexus.example.com/' });
    const { headers } = await http.client.send({ body: ping, token: null });
    expect(headers['www-authenticate']).toContain(
      '"https://nexus.example.com/.well-known/oauth-protected-resource/mcp"',
    );
  });
});

describe('a client that is slow on purpose', () => {
  it('is cut off when it says nothing', async () => {
    await using http = await startHttpTest({ limits: { headersTimeoutMs: 100 } });
    await closed(socketTo(http.server.url));
    await http.client.initialize();
  });

  it('is cut off in the middle of a head that never ends', async () => {
    await using http = await startHttpTest({ limits: { headersTimeoutMs: 100 } });
    const socket = socketTo(http.server.url);
    socket.write('POST /mcp HTTP/1.1\r\nHost: localhost\r\n');
    const drip = setInterval(() => socket.write('X-More: 1\r\n'), 20);
    await closed(socket);
    clearInterval(drip);
    await http.client.initialize();
  });

  it('is cut off in the middle of a body that never ends', async () => {
    await using http = await startHttpTest({ limits: { headersTimeoutMs: 100, requestTimeoutMs: 200 } });
    const session = await http.client.initialize();
    const socket = socketTo(http.server.url);
    const head = [
      'POST /mcp HTTP/1.1',
      'Host: localhost',
      `Authorization: Bearer ${TOKEN}`,
      `Mcp-Session-Id: ${session}`,
      'Accept: */*',
      'Content-Type: application/json',
      'Content-Length: 1000',
    ];
    socket.write(`${head.join('\r\n')}\r\n\r\n{`);
    await closed(socket);
    expect((await http.client.post(session, ping)).status).toBe(200);
  });
});

describe('a server that is to stop', () => {
  it('waits for requests in flight, and tells new ones to come back', async () => {
    await using http = await startHttpTest();
    const session = await http.client.initialize();
    const held = await http.client.post(session, { ...ping, method: 'hold' });
    let hasDrained = false;
    const drained = http.server.drain(60_000).then(() => {
      hasDrained = true;
    });
    const refusals = [
      await http.client.post(session, { ...ping, id: 2 }),
      await http.client.listen(session),
      await http.client.send({ body: { ...ping, method: 'initialize' } }),
      await http.client.send({ path: '/readyz', method: 'GET' }),
    ];
    for (const { status, headers } of refusals) expect([status, headers['retry-after']]).toEqual([503, '5']);
    expect((await http.client.send({ path: '/healthz', method: 'GET' })).status).toBe(200);
    // What a running call asked of the client may still be answered.
    expect((await http.client.post(session, { jsonrpc: '2.0', id: 'q', result: {} })).status).toBe(202);
    expect(hasDrained).toBe(false);
    await http.sessions[0]?.channel.send({ jsonrpc: '2.0', id: 1, result: { done: true } });
    expect(await held.message()).toMatchObject({ data: { result: { done: true } } });
    await drained;
  });

  it('waits no longer than its grace', async () => {
    await using http = await startHttpTest();
    const session = await http.client.initialize();
    const held = await http.client.post(session, { ...ping, method: 'hold' });
    await http.server.drain(50);
    await http.server.close();
    expect(await held.text()).not.toContain('data: {');
  });

  it('ends streams and connections', async () => {
    await using http = await startHttpTest();
    const session = await http.client.initialize();
    const stream = await http.client.listen(session);
    const idle = socketTo(http.server.url);
    const gone = closed(idle);
    await http.server.close();
    await Promise.all([stream.text(), gone]);
    expect(http.sessions[0]?.isClosed()).toBe(true);
  });
});

describe('the address', () => {
  it('is named where another program has it', async () => {
    await using http = await startHttpTest();
    const port = Number(new URL(http.server.url).port);
    await expect(startHttpTest({ port })).rejects.toThrow(
      `HTTP can't listen on 127.0.0.1:${port}: another program listens there`,
    );
  });
});

describe('TLS', () => {
  it('is served by key and certificate', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'nexus-tls-'));
    const [keyFile, certFile] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
    const files = ['-keyout', keyFile, '-out', certFile];
    execFileSync(
      'openssl',
      [
        'req',
        '-x509',
        '-newkey',
        'ec',
        '-pkeyopt',
        'ec_paramgen_curve:prime256v1',
        '-nodes',
        ...files,
        ...subject,
      ],
      { stdio: 'ignore' },
    );
    const tls = { key: readFileSync(keyFile), cert: readFileSync(certFile) };
    rmSync(folder, { recursive: true });
    await using http = await startHttpTest({ tls });
    expect(http.server.url).toMatch(/^https:\/\/127\.0\.0\.1:\d+\/mcp$/);
    const { port } = new URL(http.server.url);
    const outgoing = request({
      host: 'localhost',
      port,
      path: '/mcp',
      method: 'POST',
      ca: tls.cert,
      family: 4,
    });
    outgoing.end();
    const answer = await answerOf(outgoing);
    expect(answer.status).toBe(401);
    expect(answer.headers['www-authenticate']).toContain(`"https://localhost:${port}/`);
  });
});

describe('many idle sessions', () => {
  it('are held open side by side', async () => {
    await using http = await startHttpTest({ limits: { maxSessions: 1_000 } });
    const ids: string[] = [];
    for (let index = 0; index < 1_000; index += 1) ids.push(await http.client.initialize());
    expect(http.server.counts()).toEqual({ sessions: 1_000, inFlight: 0, streams: 0 });
    expect((await http.client.post(String(ids[0]), ping)).status).toBe(200);
    expect((await http.client.post(String(ids[999]), ping)).status).toBe(200);
    expect((await http.client.send({ body: { ...ping, method: 'initialize' } })).status).toBe(503);
  });
});
