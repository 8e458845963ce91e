import type { Channel, JsonRpcMessage } from '@nexus/core';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { RawClient } from './raw-client.ts';

export interface TransportPair {
  /** The server's side, not started yet. */
  readonly server: Channel;
  readonly client: RawClient;
  /** Frees what the pair holds; both sides may be closed already. */
  dispose(): Promise<void>;
}

const LARGE_BYTES = 10 * 1024 * 1024;
const TRICKY = {
  'escaped newline': 'one\ntwo\r\nthree',
  'line separators': '\u2028\u2029\u0085',
  'beyond the basic plane': '🧑‍🚀𝔸',
  'lone surrogate': '\ud800',
  'control characters': '\u0000\u001f',
  __proto__x: { constructor: 1 },
};

/** What every transport must pass, whatever carries its bytes. */
export function testTransport(name: string, makePair: () => Promise<TransportPair>): void {
  describe(`transport ${name} keeps the channel contract`, () => {
    let pair: TransportPair;
    beforeEach(async () => {
      pair = await makePair();
    });
    afterEach(() => pair.dispose());

    it('delivers requests in the order they were sent', async () => {
      const { received } = start(pair.server);
      const sent = numbered(1000);
      await Promise.all(sent.map((message) => pair.client.send(message)));
      await until(() => received.length === sent.length);
      expect(received).toEqual(sent);
    });

    it('hands on answers in the order of their sends, also when none is awaited', async () => {
      start(pair.server);
      const sent = numbered(1000);
      const sends = sent.map((message) => pair.server.send(message));
      expect(await take(pair.client, sent.length)).toEqual(sent);
      await Promise.all(sends);
    });

    it('delivers what came before the start first', async () => {
      await pair.client.send(request(1));
      await new Promise((resolve) => setTimeout(resolve, 20));
      const { received } = start(pair.server);
      await pair.client.send(request(2));
      await until(() => received.length === 2);
      expect(received).toEqual([request(1), request(2)]);
    });

    it('carries both ways at once', async () => {
      const { received } = start(pair.server);
      const sent = numbered(500);
      const sends = sent.flatMap((message) => [pair.client.send(message), pair.server.send(message)]);
      expect(await take(pair.client, sent.length)).toEqual(sent);
      await until(() => received.length === sent.length);
      expect(received).toEqual(sent);
      await Promise.all(sends);
    });

    it('carries a message of 10 MB whole, each way', async () => {
      const { received } = start(pair.server);
      const large = request(1, { text: 'é'.repeat(LARGE_BYTES / 2) });
      await pair.client.send(large);
      await until(() => received.length === 1);
      expect(received[0]).toEqual(large);
      const send = pair.server.send(large);
      expect(await take(pair.client, 1)).toEqual([large]);
      await send;
    });

    it('keeps every character, each way', async () => {
      const { received } = start(pair.server);
      const message = request('ключ', TRICKY);
      await pair.client.send(message);
      await until(() => received.length === 1);
      expect(received).toEqual([message]);
      await pair.server.send(message);
      expect(await take(pair.client, 1)).toEqual([message]);
    });

    it('puts a message together that arrives in pieces, in the middle of a character too', async () => {
      const { received } = start(pair.server);
      for (const byte of Buffer.from(`${JSON.stringify(request(1, { text: '🧑‍🚀' }))}\n`)) {
        await pair.client.sendRaw(Uint8Array.of(byte));
      }
      await until(() => received.length === 1);
      expect(received).toEqual([request(1, { text: '🧑‍🚀' })]);
    });

    it('answers a faulty line with its error, and the next line works', async () => {
      const { received } = start(pair.server);
      await pair.client.sendRaw('not JSON\n{"jsonrpc":"2.0","id":7,"method":1}\n');
      await pair.client.send(request(8));
      expect(await take(pair.client, 2)).toMatchObject([
        { id: null, error: { code: -32700 } },
        { id: 7, error: { code: -32600 } },
      ]);
      await until(() => received.length === 1);
      expect(received).toEqual([request(8)]);
    });

    it('tells once that the client has closed, after its last message', async () => {
      const { received, events } = start(pair.server);
      await pair.client.send(request(1));
      await pair.client.close();
      await until(() => events.includes('closed'));
      await pair.server.send(request(2));
      await pair.server.close();
      expect(received).toEqual([request(1)]);
      expect(events).toEqual(['message', 'closed']);
    });

    it('hands on what was sent before the server closes, and then ends', async () => {
      const { events } = start(pair.server);
      const sent = numbered(100);
      for (const message of sent) void pair.server.send(message);
      await pair.server.close();
      expect(await take(pair.client, sent.length)).toEqual(sent);
      expect(await pair.client.messages().next()).toMatchObject({ done: true });
      expect(events).toEqual(['closed']);
    });

    it('drops a message sent after the close without an error, and closes twice without one', async () => {
      start(pair.server);
      await pair.server.close();
      await expect(pair.server.send(request(1))).resolves.toBeUndefined();
      await expect(pair.server.close()).resolves.toBeUndefined();
      expect(await pair.client.messages().next()).toMatchObject({ done: true });
    });

    it('makes sends wait for a slow reader, and loses nothing', async () => {
      start(pair.server);
      const sent = Array.from({ length: 100 }, (_, id) => request(id, { text: 'x'.repeat(100_000) }));
      let resolved = 0;
      const sends = sent.map((message) => pair.server.send(message).then(() => (resolved += 1)));
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect(resolved).toBeLessThan(sent.length);
      expect(await take(pair.client, sent.length)).toEqual(sent);
      await Promise.all(sends);
    });

    it('frees sends that wait for a reader which goes away', async () => {
      const { events } = start(pair.server);
      const sends = Array.from({ length: 100 }, (_, id) =>
        pair.server.send(request(id, { text: 'x'.repeat(100_000) })),
      );
      await pair.client.close();
      await until(() => events.includes('closed'));
      await pair.server.close();
      await Promise.all(sends);
      expect(events).toEqual(['closed']);
    });
  });
}

function start(channel: Channel) {
  const received: JsonRpcMessage[] = [];
  const events: ('message' | 'closed')[] = [];
  channel.start({
    message(message) {
      received.push(message);
      events.push('message');
    },
    closed: () => events.push('closed'),
  });
  return { received, events };
}

function request(id: string | number, params?: Readonly<Record<string, unknown>>): JsonRpcMessage {
  return { jsonrpc: '2.0', id, method: 'test/echo', ...(params ? { params } : {}) };
}

function numbered(count: number): JsonRpcMessage[] {
  return Array.from({ length: count }, (_, id) => request(id));
}

async function take(client: RawClient, count: number): Promise<unknown[]> {
  const messages: unknown[] = [];
  while (messages.length < count) {
    const { done, value } = await client.messages().next();
    if (done) throw new Error(`the server closed after ${messages.length} of ${count} messages`);
    messages.push(value);
  }
  return messages;
}

function until(condition: () => boolean): Promise<void> {
  return vi.waitFor(() => expect(condition()).toBe(true), { timeout: 20_000, interval: 5 });
}
