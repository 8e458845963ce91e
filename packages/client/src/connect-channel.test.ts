import type { Channel, JsonRpcMessage } from '@nexus/core';
import { ANSWER_MS, endsWithin, timed } from '@nexus/core';
import { collectLog } from '@nexus/testing';
import { expect, it } from 'vitest';
import { connectChannel } from './connect-channel.ts';
import { ConnectionError } from './connection-error.ts';

/** A server at the other end that answers initialize and nothing else. */
function answering() {
  const received: JsonRpcMessage[] = [];
  let receive: (message: JsonRpcMessage) => void = () => {};
  let close = () => {};
  const channel: Channel = {
    kind: 'test',
    trust: 'user',
    start({ message, closed }) {
      receive = message;
      close = closed;
    },
    async send(message) {
      received.push(message);
      const { id, method } = message;
      if (id === undefined || method !== 'initialize') return;
      const result = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: {} };
      receive({ jsonrpc: '2.0', id, result });
    },
    close: async () => close(),
  };
  return { channel, received, end: () => close() };
}

const options = () => ({
  serverName: 'there',
  clientInfo: { name: 'test', version: '1' },
  capabilities: {},
  listener: { notification() {}, request: () => Promise.reject(new Error('nobody asked')) },
  log: collectLog().log,
});

it('asks nothing by a signal that has fired, and begins no session by one', async () => {
  const { channel, received } = answering();
  const connection = await connectChannel(channel, options());
  const signal = AbortSignal.abort(new Error('interrupted'));
  await expect(connection.request('tools/list', {}, { signal: timed(signal) })).rejects.toThrow(
    'interrupted',
  );
  expect(received.map(({ method }) => method)).toEqual(['initialize', 'notifications/initialized']);
  const other = answering();
  await expect(connectChannel(other.channel, { ...options(), signal })).rejects.toThrow('interrupted');
  expect(other.received).toEqual([]);
});

it('tells the server of a request that is given up', async () => {
  const { channel, received } = answering();
  const connection = await connectChannel(channel, options());
  const interrupt = new AbortController();
  const asked = connection.request('tools/call', {}, { signal: timed(interrupt.signal) });
  interrupt.abort(new Error('interrupted'));
  await expect(asked).rejects.toThrow('interrupted');
  expect(received.at(-1)).toMatchObject({ method: 'notifications/cancelled' });
});

it('fails what waits when the other end goes, and says so', async () => {
  const { channel, end } = answering();
  const connection = await connectChannel(channel, options());
  const asked = connection.request('tools/list', {}, { signal: endsWithin(ANSWER_MS) });
  end();
  await expect(asked).rejects.toThrow(ConnectionError);
  await expect(asked).rejects.toThrow('Server "there" closed the connection.');
  expect(await connection.closed).toEqual({ reason: 'closed the connection' });
});
