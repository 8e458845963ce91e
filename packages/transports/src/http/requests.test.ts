import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { answerOf, type SendInput } from '../../test/http-client.ts';
import { startHttpTest, TOKEN } from '../../test/http-server.ts';

const ping = { jsonrpc: '2.0', id: 1, method: 'ping', params: { a: 1 } };

describe('POST', () => {
  it('answers a quick request with JSON', async () => {
    await using http = await startHttpTest();
    const session = await http.client.initialize();
    const answer = await http.client.post(session, ping);
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toBe('application/json');
    expect(await answer.json()).toEqual({ jsonrpc: '2.0', id: 1, result: { a: 1 } });
  });

  it('answers a slow request on a stream that begins with an event of no data', async () => {
    await using http = await startHttpTest();
    const session = await http.client.initialize();
    const answer = await http.client.post(session, { ...ping, method: 'hold' });
    expect(answer.headers['content-type']).toBe('text/event-stream');
    expect((await answer.events.next()).value).toEqual({ id: '1-0' });
    await http.sessions[0]?.channel.send({ jsonrpc: '2.0', id: 1, result: {} });
    expect(await answer.message()).toEqual({ id: '1-1', data: { jsonrpc: '2.0', id: 1, result: {} } });
    expect(await answer.events.next()).toMatchObject({ done: true });
  });

  it('sends what belongs to a request on the stream of that request alone', async () => {
    await using http = await startHttpTest({ limits: { streamAfterMs: 60_000 } });
    const session = await http.client.initialize();
    const answers = [1, 2].map((id) => http.client.post(session, { ...ping, id, method: 'hold' }));
    await expect.poll(() => http.sessions[0]?.received.length).toBe(3);
    const progress = { jsonrpc: '2.0', method: 'notifications/progress', params: { progress: 1 } } as const;
    await http.sessions[0]?.channel.send(progress, { relatedRequestId: 2 });
    const second = await answers[1];
    expect(await second?.message()).toMatchObject({ data: progress });
    await http.sessions[0]?.channel.send({ jsonrpc: '2.0', id: 1, result: {} });
    expect((await answers[0])?.headers['content-type']).toBe('application/json');
    second?.drop();
  });

  it('takes notifications and responses with 202', async () => {
    await using http = await startHttpTest();
    const session = await http.client.initialize();
    for (const message of [
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { jsonrpc: '2.0', id: 5, result: {} },
    ]) {
      const answer = await http.client.post(session, message);
      expect({ status: answer.status, text: await answer.text() }).toEqual({ status: 202, text: '' });
      expect(http.sessions[0]?.received.at(-1)).toEqual(message);
    }
  });

  it('ends the stream of a cancelled request without an answer', async () => {
    await using http = await startHttpTest();
    const session = await http.client.initialize();
    const answer = await http.client.post(session, { ...ping, method: 'hold' });
    const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } };
    await http.client.post(session, cancel);
    expect(await answer.text()).not.toContain('data: {');
    expect(http.server.counts().inFlight).toBe(0);
    // A client that comes back for it is told to stop.
    expect((await http.client.listen(session, '1-0')).status).toBe(204);
  });

  it.each(['before its request', 'while the body of its request is still read'])(
    'hears a cancel that comes %s',
    async (when) => {
      await using http = await startHttpTest();
      const session = await http.client.initialize();
      const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } };
      const isBefore = when.startsWith('before');
      if (isBefore) await http.client.post(session, cancel);
      const body = JSON.stringify({ ...ping, method: 'hold' });
      const outgoing = request(http.server.url, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${TOKEN}`,
          accept: 'application/json, text/event-stream',
          'content-type': 'application/json',
          'content-length': body.length,
          'mcp-session-id': session,
        },
      });
      outgoing.write(body.slice(0, 10));
      if (!isBefore) {
        await new Promise((resolve) => setTimeout(resolve, 50));
        await http.client.post(session, cancel);
      }
      outgoing.end(body.slice(10));
      const answer = await answerOf(outgoing);
      expect(answer).toMatchObject({ status: 200, headers: { 'content-type': 'text/event-stream' } });
      expect(await answer.text()).toBe('');
      expect(http.sessions[0]?.received.map(({ method }) => method)).not.toContain('hold');
      expect(http.server.counts().inFlight).toBe(0);
      // The next is none of its business.
      expect((await http.client.post(session, { ...ping, id: 2 })).status).toBe(200);
    },
  );

  it.each([
    ['no session', { headers: {} }, 400],
    ['a session that never was', { headers: { 'mcp-session-id': 'made-up' } }, 404],
    ['another content type', { headers: { 'content-type': 'text/plain' } }, 415],
    ['JSON alone accepted', { headers: { accept: 'application/json' } }, 406],
    ['events alone accepted', { headers: { accept: 'text/event-stream' } }, 406],
    ['JSON refused', { headers: { accept: '*/*;q=0, text/event-stream' } }, 406],
    ['an unknown protocol version', { headers: { 'mcp-protocol-version': '1999-01-01' } }, 400],
    ['no JSON', { body: '{"jsonrpc"' }, 400],
    ['no message', { body: '[]' }, 400],
    ['an empty body', { body: '' }, 400],
    ['no UTF-8', { body: Buffer.from('{"jsonrpc":"2.0","id":1,"method":"caf\u00e9"}', 'latin1') }, 400],
    ['another path', { path: '/other' }, 404],
    ['another method', { method: 'PUT' }, 405],
  ] as [string, SendInput, number][])('refuses %s', async (what, input, status) => {
    await using http = await startHttpTest();
    const session = await http.client.initialize();
    const headers = what.includes('session') ? {} : { 'mcp-session-id': session };
    const answer = await http.client.send({
      body: ping,
      ...input,
      headers: { ...headers, ...input.headers },
    });
    expect(answer.status).toBe(status);
    expect(await answer.json()).toMatchObject({
      jsonrpc: '2.0',
      error: { message: expect.stringMatching(/.{10}/) },
    });
    expect(http.sessions[0]?.received).toHaveLength(1);
  });

  it('accepts ranges and letters of any case', async () => {
    await using http = await startHttpTest();
    const session = await http.client.initialize();
    const headers = {
      accept: 'Application/*, TEXT/event-stream;q=0.5',
      'content-type': 'Application/JSON; charset=utf-8',
    };
    expect((await http.client.post(session, ping, headers)).status).toBe(200);
    expect((await http.client.post(session, ping, { accept: '*/*' })).status).toBe(200);
  });

  it('refuses a body over the limit, whether announced or streamed, and serves the next', async () => {
    await using http = await startHttpTest({ limits: { maxBodyBytes: 1_024 } });
    const session = await http.client.initialize();
    const large = JSON.stringify({ ...ping, params: { text: 'x'.repeat(1_000_000) } });
    for (const headers of [{}, { 'transfer-encoding': 'chunked' }]) {
      const answer = await http.client.post(session, large, headers as Record<string, string>);
      expect(answer.status).toBe(413);
      expect(await answer.text()).toContain('1024 bytes');
    }
    expect((await http.client.post(session, ping)).status).toBe(200);
  });

  it('refuses an id that waits for its answer already', async () => {
    await using http = await startHttpTest();
    const session = await http.client.initialize();
    const first = await http.client.post(session, { ...ping, method: 'hold' });
    expect((await http.client.post(session, ping)).status).toBe(400);
    expect((await http.client.post(session, { ...ping, id: '1' })).status).toBe(200);
    first.drop();
  });

  it('refuses a second initialize in a session', async () => {
    await using http = await startHttpTest();
    const session = await http.client.initialize();
    expect((await http.client.post(session, { ...ping, method: 'initialize' })).status).toBe(400);
  });
});

describe('limits', () => {
  it('says 429 above the requests in flight that a session may have, and to that session alone', async () => {
    await using http = await startHttpTest({ limits: { maxInFlight: 2 } });
    const session = await http.client.initialize();
    const held = await Promise.all(
      [1, 2].map((id) => http.client.post(session, { ...ping, id, method: 'hold' })),
    );
    const refused = await http.client.post(session, { ...ping, id: 3 });
    expect(refused.status).toBe(429);
    expect(refused.headers['retry-after']).toBe('1');
    expect(await refused.json()).toMatchObject({ id: 3 });
    const other = await http.client.initialize();
    expect((await http.client.post(other, ping)).status).toBe(200);
    await http.sessions[0]?.channel.send({ jsonrpc: '2.0', id: 1, result: {} });
    await expect.poll(async () => (await http.client.post(session, { ...ping, id: 4 })).status).toBe(200);
    for (const answer of held) answer.drop();
  });

  it('says 503 above the sessions that may be open, until one ends', async () => {
    await using http = await startHttpTest({ limits: { maxSessions: 2 } });
    const first = await http.client.initialize();
    await http.client.initialize();
    const refused = await http.client.send({ body: { ...ping, method: 'initialize' } });
    expect(refused.status).toBe(503);
    expect(refused.headers['retry-after']).toBe('5');
    await http.client.remove(first);
    await http.client.initialize();
  });

  it('ends a session that is idle, and none that has a stream or a request', async () => {
    await using http = await startHttpTest({ limits: { sessionIdleMs: 1_000 } });
    const idle = await http.client.initialize();
    const [streaming, waiting] = [await http.client.initialize(), await http.client.initialize()];
    const stream = await http.client.listen(streaming);
    const held = await http.client.post(waiting, { ...ping, method: 'hold' });
    await expect.poll(() => http.sessions[0]?.isClosed(), { timeout: 10_000 }).toBe(true);
    expect((await http.client.post(idle, ping)).status).toBe(404);
    for (const session of [streaming, waiting]) {
      expect((await http.client.post(session, { ...ping, id: 2 })).status).toBe(200);
    }
    stream.drop();
    held.drop();
  });
});

describe('sessions', () => {
  it('have ids that nobody can guess', async () => {
    await using http = await startHttpTest();
    const ids = await Promise.all(Array.from({ length: 10 }, () => http.client.initialize()));
    expect(new Set(ids).size).toBe(10);
    for (const id of ids) expect(id).toMatch(/^[\w-]{32}$/);
  });

  it('are apart from each other', async () => {
    await using http = await startHttpTest();
    const [a, b] = [await http.client.initialize(), await http.client.initialize()];
    const streams = [await http.client.listen(a), await http.client.listen(b)];
    const note = { jsonrpc: '2.0', method: 'notifications/message', params: { to: 'b' } } as const;
    await http.sessions[1]?.channel.send(note);
    await http.sessions[0]?.channel.send({ ...note, params: { to: 'a' } });
    expect(await streams[0]?.message()).toMatchObject({ data: { params: { to: 'a' } } });
    expect(await streams[1]?.message()).toMatchObject({ data: { params: { to: 'b' } } });
    await http.client.post(b, ping);
    expect(http.sessions[0]?.received).toHaveLength(1);
    for (const stream of streams) stream.drop();
  });

  it('end with DELETE, streams and requests with them, and are 404 from then on', async () => {
    await using http = await startHttpTest();
    const session = await http.client.initialize();
    const stream = await http.client.listen(session);
    const held = await http.client.post(session, { ...ping, method: 'hold' });
    expect((await http.client.remove(session)).status).toBe(200);
    await Promise.all([stream.text(), held.text()]);
    expect(http.sessions[0]?.isClosed()).toBe(true);
    for (const answer of [
      await http.client.post(session, ping),
      await http.client.listen(session),
      await http.client.remove(session),
    ]) {
      expect(answer.status).toBe(404);
    }
  });

  it('end when the server closes their channel', async () => {
    await using http = await startHttpTest();
    const session = await http.client.initialize();
    await http.sessions[0]?.channel.close();
    expect((await http.client.post(session, ping)).status).toBe(404);
    expect(http.server.counts().sessions).toBe(0);
  });
});

describe('without a session', () => {
  it('says that it is well, and shows metrics to those with the token', async () => {
    await using http = await startHttpTest();
    for (const path of ['/healthz', '/readyz']) {
      expect((await http.client.send({ path, method: 'GET', token: null })).status).toBe(200);
    }
    const metrics = await http.client.send({ path: '/metrics', method: 'GET' });
    expect(await metrics.text()).toBe('up 1\n');
    expect((await http.client.send({ path: '/metrics', method: 'GET', token: null })).status).toBe(401);
    expect((await http.client.send({ path: '/metrics', method: 'GET', token: `${TOKEN}x` })).status).toBe(
      401,
    );
  });
});
