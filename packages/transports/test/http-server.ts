import type { Channel, JsonRpcMessage } from '@nexus/core';
import { type HttpLimits, type HttpOptions, startHttpServer } from '../src/http/index.ts';
import { collectingLog } from './collecting-log.ts';
import { httpClient } from './http-client.ts';

export const TOKEN = 'a-token-that-only-this-test-knows-0123456789';

const LIMITS: HttpLimits = {
  maxBodyBytes: 64 * 1024,
  maxSessions: 10,
  maxInFlight: 10,
  sessionIdleMs: 60_000,
  replayBytes: 64 * 1024,
  maxQueuedBytes: 256 * 1024,
  keepAliveMs: 60_000,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 10_000,
  streamAfterMs: 50,
  stallMs: 30_000,
};

/** The server's end of one session, with what came in. */
export interface ServedSession {
  readonly channel: Channel;
  readonly received: JsonRpcMessage[];
  readonly isClosed: () => boolean;
}

export interface HttpTestOptions extends Partial<Omit<HttpOptions, 'limits' | 'accept'>> {
  readonly limits?: Partial<HttpLimits>;
  /** Takes each message; by default requests are answered with their params at once. */
  onMessage?(message: JsonRpcMessage, channel: Channel): void;
}

/** A server on a free port of this machine whose sessions answer each request with its own params. */
export async function startHttpTest(options: HttpTestOptions = {}) {
  const { log, lines } = collectingLog();
  const sessions: ServedSession[] = [];
  const { limits, onMessage = echo, ...rest } = options;
  const server = await startHttpServer({
    host: '127.0.0.1',
    port: 0,
    allowedHosts: [],
    allowedOrigins: [],
    auth: { token: TOKEN },
    log,
    metrics: async () => ({ contentType: 'text/plain', text: 'up 1\n' }),
    ...rest,
    limits: { ...LIMITS, ...limits },
    accept(channel) {
      const received: JsonRpcMessage[] = [];
      let isClosed = false;
      sessions.push({ channel, received, isClosed: () => isClosed });
      channel.start({
        message(message) {
          received.push(message);
          onMessage(message, channel);
        },
        closed() {
          isClosed = true;
        },
      });
    },
  });
  return {
    server,
    sessions,
    lines,
    client: httpClient(server.url, TOKEN),
    [Symbol.asyncDispose]: () => server.close(),
  };
}

/** Answers requests, except those of the method `hold`. */
function echo({ id, method, params = {} }: JsonRpcMessage, channel: Channel): void {
  if (method === undefined || id === undefined || method === 'hold') return;
  void channel.send({ jsonrpc: '2.0', id, result: params });
}
