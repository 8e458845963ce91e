import type { JsonRpcMessage } from '@nexus/core';
import { describe, expect, it } from 'vitest';
import type { Answer } from '../../test/http-client.ts';
import { startHttpTest } from '../../test/http-server.ts';

const hold = { jsonrpc: '2.0', id: 1, method: 'hold' };

function note(index: number, text = ''): JsonRpcMessage {
  return { jsonrpc: '2.0', method: 'notifications/message', params: { index, text } };
}

async function indexes(stream: Answer, count: number): Promise<unknown[]> {
  const found = [];
  while (found.length < count) {
    const { data } = await stream.message();
    found.push((data.params as { index?: unknown }).index);
  }
  return found;
}

describe('the stream of a session', () => {
  it('gives what was sent before anybody listened', async () => {
    await using http = await startHttpTest();
    const session = await http.client.initialize();
    for (const index of [1, 2]) await http.sessions[0]?.channel.send(note(index));
    const stream = await http.client.listen(session);
    expect(await indexes(stream, 2)).toEqual([1, 2]);
    stream.drop();
  });

  it('is taken up after the last event that the client saw', async () => {
    await using http = await startHttpTest();
    const session = await http.client.initialize();
    const channel = http.sessions[0]?.channel;
    const stream = await http.client.listen(session);
    for (const index of [1, 2, 3]) await channel?.send(note(index));
    await stream.message();
    const { id } = await stream.message();
    stream.drop();
    for (const index of [4, 5]) await channel?.send(note(index));
    const again = await http.client.listen(session, id);
    expect(await indexes(again, 3)).toEqual([3, 4, 5]);
    await channel?.send(note(6));
    expect(await indexes(again, 1)).toEqual([6]);
    again.drop();
  });

  it('moves to the newest connection', async () => {
    await using http = await startHttpTest();
    const session = await http.client.initialize();
    const older = await http.client.listen(session);
    const newer = await http.client.listen(session);
    await http.sessions[0]?.channel.send(note(1));
    expect(await indexes(newer, 1)).toEqual([1]);
    expect(await older.text()).not.toContain('index');
    newer.drop();
  });

  it('says how many events are lost where more were missed than is kept', async () => {
    await using http = await startHttpTest({ limits: { replayBytes: 2_048 } });
    const session = await http.client.initialize();
    const channel = http.sessions[0]?.channel;
    const stream = await http.client.listen(session);
    await channel?.send(note(0));
    const { id } = await stream.message();
    stream.drop();
    for (let index = 1; index <= 20; index += 1) await channel?.send(note(index, 'x'.repeat(500)));
    const again = await http.client.listen(session, id);
    expect(await again.message()).toMatchObject({
      data: {
        params: {
          level: 'warning',
          data: { lost: 17, message: expect.stringContaining('17 events are lost') },
        },
      },
    });
    expect(await indexes(again, 3)).toEqual([18, 19, 20]);
    again.drop();
  });

  it('refuses an event id that it never gave', async () => {
    await using http = await startHttpTest();
    const session = await http.client.initialize();
    for (const id of ['7-1', 'x', '0-', '0-1-2', '9'.repeat(40)]) {
      expect((await http.client.listen(session, id)).status, id).toBe(400);
    }
  });

  it('needs a client that accepts events, of a known protocol version', async () => {
    await using http = await startHttpTest();
    const session = await http.client.initialize();
    const get = (headers: Record<string, string>) =>
      http.client.send({ method: 'GET', headers: { 'mcp-session-id': session, ...headers } });
    expect((await get({ accept: 'application/json' })).status).toBe(406);
    expect((await get({ 'mcp-protocol-version': 'x' })).status).toBe(400);
    expect((await http.client.send({ method: 'GET' })).status).toBe(400);
  });

  it('shows that it is alive while it is silent', async () => {
    await using http = await startHttpTest({ limits: { keepAliveMs: 20 } });
    const stream = await http.client.listen(await http.client.initialize());
    await stream.events.next();
    expect((await stream.events.next()).value).toEqual({ comment: ': keep-alive' });
    stream.drop();
  });

  it('carries a question to the client on the stream of a request where nobody listens', async () => {
    await using http = await startHttpTest();
    const session = await http.client.initialize();
    const held = await http.client.post(session, hold);
    const question = { jsonrpc: '2.0', id: 'q', method: 'roots/list' } as const;
    await http.sessions[0]?.channel.send(question);
    expect(await held.message()).toMatchObject({ data: question });
    held.drop();
  });
});

describe('the stream of a request', () => {
  it('is taken up after a break, and misses neither progress nor the answer', async () => {
    await using http = await startHttpTest();
    const session = await http.client.initialize();
    const channel = http.sessions[0]?.channel;
    const held = await http.client.post(session, hold);
    const { value } = await held.events.next();
    held.drop();
    await channel?.send(note(1), { relatedRequestId: 1 });
    const again = await http.client.listen(session, value.id);
    expect(await indexes(again, 1)).toEqual([1]);
    again.drop();
    await channel?.send({ jsonrpc: '2.0', id: 1, result: { done: true } });
    // Nothing is left to come, so the stream ends with what was missed.
    const last = await http.client.listen(session, value.id);
    expect(await indexes(last, 1)).toEqual([1]);
    expect(await last.message()).toMatchObject({ id: '1-2', data: { result: { done: true } } });
    expect(await last.events.next()).toMatchObject({ done: true });
    expect((await http.client.listen(session, '1-2')).status).toBe(204);
  });

  it('answers with an error where the answer is kept no more', async () => {
    await using http = await startHttpTest({ limits: { replayBytes: 1_024 } });
    const session = await http.client.initialize();
    const channel = http.sessions[0]?.channel;
    const held = await http.client.post(session, hold);
    const { value } = await held.events.next();
    held.drop();
    await channel?.send({ jsonrpc: '2.0', id: 1, result: {} });
    for (let index = 0; index < 5; index += 1) await channel?.send(note(index, 'x'.repeat(500)));
    const again = await http.client.listen(session, value.id);
    expect(await again.message()).toMatchObject({ data: { id: 1, error: { code: -32603 } } });
    expect(await again.events.next()).toMatchObject({ done: true });
  });

  it('ends after the time that a stream may last, and goes on where the client comes back', async () => {
    await using http = await startHttpTest({ limits: { maxStreamMs: 100 } });
    const session = await http.client.initialize();
    const held = await http.client.post(session, hold);
    const { value } = await held.events.next();
    expect(await held.events.next()).toMatchObject({ done: true });
    await http.sessions[0]?.channel.send({ jsonrpc: '2.0', id: 1, result: {} });
    const again = await http.client.listen(session, value.id);
    expect(await again.message()).toMatchObject({ data: { id: 1, result: {} } });
  });
});

describe('a client that reads nothing', () => {
  it('is cut off at the bound, is told what it lost, and holds nobody up', async () => {
    await using http = await startHttpTest({
      limits: { maxQueuedBytes: 64 * 1024, replayBytes: 1024 * 1024 },
    });
    const session = await http.client.initialize();
    const other = await http.client.initialize();
    const stream = await http.client.listen(session);
    const { value } = await stream.events.next();
    stream.response.pause();
    const text = 'x'.repeat(64 * 1024);
    for (let index = 0; http.server.counts().streams > 0; index += 1) {
      expect(index).toBeLessThan(1_000);
      void http.sessions[0]?.channel.send(note(index, text));
      // What the kernel takes leaves the queue.
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    expect((await http.client.post(other, { ...hold, method: 'ping' })).status).toBe(200);
    stream.drop();
    const again = await http.client.listen(session, value.id);
    const { data } = await again.message();
    expect(data.params).toMatchObject({ level: 'warning' });
    again.drop();
  });

  it('is cut off when it takes nothing for two beats', async () => {
    await using http = await startHttpTest({ limits: { keepAliveMs: 50, maxQueuedBytes: 64 * 1024 * 1024 } });
    const session = await http.client.initialize();
    const stream = await http.client.listen(session);
    stream.response.pause();
    const sent = http.sessions[0]?.channel.send(note(1, 'x'.repeat(32 * 1024 * 1024)));
    await expect.poll(() => http.server.counts().streams, { timeout: 10_000 }).toBe(0);
    await sent;
    stream.drop();
  });

  it.each(['a stream', 'plain JSON'])('is cut off after the end of its answer by %s, too', async (way) => {
    const streamAfterMs = way === 'a stream' ? 0 : 60_000;
    await using http = await startHttpTest({ limits: { stallMs: 200, streamAfterMs } });
    const session = await http.client.initialize();
    const held = http.client.post(session, hold);
    await expect.poll(() => http.sessions[0]?.received.length).toBe(2);
    const text = 'x'.repeat(32 * 1024 * 1024);
    const sent = http.sessions[0]?.channel.send({ jsonrpc: '2.0', id: 1, result: { text } });
    (await held).response.pause();
    expect(http.server.counts().inFlight).toBe(1);
    await sent;
    expect(http.server.counts().inFlight).toBe(0);
  });

  it('counts against its session until it has taken its answers', async () => {
    await using http = await startHttpTest({ limits: { maxInFlight: 1 } });
    const session = await http.client.initialize();
    const large = { ...hold, id: 2, method: 'ping', params: {} };
    const { channel } = http.sessions[0] ?? {};
    const held = http.client.post(session, { ...hold, id: 3 });
    await expect.poll(() => http.sessions[0]?.received.length).toBe(2);
    void channel?.send({ jsonrpc: '2.0', id: 3, result: { text: 'x'.repeat(32 * 1024 * 1024) } });
    const unread = await held;
    expect((await http.client.post(session, large)).status).toBe(429);
    await unread.text();
    await expect.poll(async () => (await http.client.post(session, large)).status).toBe(200);
  });
});
