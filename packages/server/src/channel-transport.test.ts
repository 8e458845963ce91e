import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Log } from '@nexus/plugin-sdk';
import { jsonLinesChannel } from '@nexus/transports/json-lines';
import { expect, it, vi } from 'vitest';
import { channelTransport } from './channel-transport.ts';
import { directRequests } from './direct-requests.ts';

const log: Log = { debug() {}, info() {}, warn() {}, error() {} };

it('closes its side once the client has closed its own and has its answers', async () => {
  const readable = new PassThrough();
  const writable = new PassThrough();
  const channel = jsonLinesChannel({ kind: 'test', readable, writable, log });
  const transport = channelTransport(channel, directRequests({}, channel), 60_000);
  const closed = vi.fn();
  transport.onclose = closed;
  transport.onmessage = (message) => {
    expect(closed).not.toHaveBeenCalled();
    if ('id' in message) void transport.send({ jsonrpc: '2.0', id: message.id ?? 0, result: {} });
  };
  await transport.start();
  readable.end('{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
  expect(await text(writable)).toBe('{"jsonrpc":"2.0","id":1,"result":{}}\n');
  expect(closed).toHaveBeenCalledOnce();
});
