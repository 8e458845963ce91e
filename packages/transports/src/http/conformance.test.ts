import type { Channel } from '@nexus/core';
import { testTransport } from '@nexus/testing';
import { collectingLog } from '../../test/collecting-log.ts';
import { httpClient } from '../../test/http-client.ts';
import { httpLines } from '../../test/http-lines.ts';
import { startHttpServer } from './index.ts';

const ENOUGH_BYTES = 64 * 1024 * 1024;
const TOKEN = 'a-token-that-only-this-test-knows-0123456789';

testTransport('Streamable HTTP', async () => {
  let opened: Channel | undefined;
  const server = await startHttpServer({
    host: '127.0.0.1',
    port: 0,
    allowedHosts: [],
    allowedOrigins: [],
    auth: { token: TOKEN },
    limits: {
      maxBodyBytes: ENOUGH_BYTES,
      maxSessions: 1,
      maxInFlight: 10_000,
      sessionIdleMs: 60_000,
      replayBytes: ENOUGH_BYTES,
      maxQueuedBytes: ENOUGH_BYTES,
      keepAliveMs: 60_000,
      headersTimeoutMs: 60_000,
      requestTimeoutMs: 60_000,
      // At once, so that the next message needs not wait.
      streamAfterMs: 0,
      stallMs: 60_000,
    },
    log: collectingLog().log,
    accept(channel) {
      opened = channel;
    },
    metrics: async () => ({ contentType: 'text/plain', text: '' }),
  });
  const opening = await httpClient(server.url, TOKEN).send({
    body: { jsonrpc: '2.0', id: 'open', method: 'initialize' },
  });
  const session = String(opening.headers['mcp-session-id']);
  if (!opened) throw new Error('no session was opened');
  await opened.send({ jsonrpc: '2.0', id: 'open', result: {} });
  await opening.text();
  return {
    server: withoutOpening(opened),
    client: await httpLines(server.url, { token: TOKEN, session }),
    dispose: () => server.close(),
  };
});

/** A session over HTTP begins with a request; what is tested comes after it. */
function withoutOpening(channel: Channel): Channel {
  return {
    ...channel,
    start(handlers) {
      channel.start({
        ...handlers,
        message(message) {
          if (message.id !== 'open') handlers.message(message);
        },
      });
    },
  };
}
