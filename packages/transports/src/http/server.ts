import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createDescriptorCheck } from '../descriptors.ts';
import { createUnproven } from '../unproven.ts';
import { type Authenticate, bearerAuthentication, noAuthentication } from './auth/authenticate.ts';
import { bracketed, createGuard, isLoopback } from './guard.ts';
import { mcpEndpoint } from './mcp-endpoint.ts';
import type { HttpOptions } from './options.ts';
import { refuse } from './respond.ts';
import { createRouter } from './router.ts';
import { createSessions } from './sessions.ts';

/** A running HTTP way in. */
export interface HttpServer {
  /** Of the MCP endpoint, as a client of this machine reaches it. */
  readonly url: string;
  counts(): { readonly sessions: number; readonly inFlight: number; readonly streams: number };
  /** Tells new requests to come back later; resolves when those in flight are answered, or after `graceMs`. */
  drain(graceMs: number): Promise<void>;
  /** Ends sessions, streams and connections. */
  close(): Promise<void>;
}

/** How often the limits on slow requests and idle sessions are looked at. */
const CHECK_MS = 1_000;
/** Connections that have shown no token yet. */
const MAX_UNPROVEN = 128;
/** Times as many for a moment: pages and hosts open several at once, and files that run out end it sooner. */
const CROWD = 4;
/** To a connection that takes the last descriptors; written before anything is read, so it stands in no stream. */
const NO_ROOM =
  'HTTP/1.1 503 Service Unavailable\r\nretry-after: 5\r\nconnection: close\r\ncontent-length: 0\r\n\r\n';
/** More than the socket of this machine's hosts leaves, so that no number of clients by HTTP keeps those out. */
const KEPT_FREE = 64;
/** For answers to reach slow readers. */
const FLUSH_MS = 500;

/**
 * Serves MCP over Streamable HTTP.
 * @throws {Error} where the address can't be listened on, or is open to others without `auth`
 */
export async function startHttpServer(options: HttpOptions): Promise<HttpServer> {
  const { host, limits, log, auth } = options;
  if (!auth && !isLoopback(host)) {
    throw new Error(
      `without authentication only loopback is served, and ${host} is reachable from other machines`,
    );
  }
  const sessions = createSessions({ ...limits, idleMs: limits.sessionIdleMs, accept: options.accept });
  let isDraining = false;
  const unproven = createUnproven(MAX_UNPROVEN, { crowd: CROWD });
  const route = createRouter(options, {
    guard: createGuard(options),
    authenticate: auth ? await bearer(auth) : noAuthentication,
    mcp: mcpEndpoint({ sessions, limits, isDraining: () => isDraining }),
    isDraining: () => isDraining,
    proved: (socket) => unproven.prove(socket),
  });
  const server = await listen(options, (request, response) => {
    route(request, response).catch((error) => {
      log.error('an HTTP request failed', { err: error });
      refuse(response, { status: 500, message: 'internal error; the server’s log has its cause' });
    });
  });
  const lackOf = createDescriptorCheck(log, KEPT_FREE);
  server.on('connection', (socket) => {
    if (lackOf(socket, unproven.makeRoom) === undefined) return unproven.add(socket);
    // At once: a request that is answered so must not be done all the same.
    if (!options.tls) socket.write(NO_ROOM);
    socket.destroy();
  });
  const beat = setInterval(sessions.beat, limits.keepAliveMs).unref();
  const expire = setInterval(sessions.expireIdle, CHECK_MS).unref();
  const { port } = server.address() as AddressInfo;

  return {
    url: `${options.tls ? 'https' : 'http'}://${bracketed(reachable(host))}:${port}/mcp`,
    counts: () => ({
      sessions: sessions.size,
      inFlight: sessions.inFlight(),
      streams: sessions.openStreams(),
    }),
    async drain(graceMs) {
      isDraining = true;
      const until = Date.now() + graceMs;
      while (sessions.inFlight() > 0 && Date.now() < until)
        await new Promise((resolve) => setTimeout(resolve, 20));
    },
    async close() {
      isDraining = true;
      clearInterval(beat);
      clearInterval(expire);
      sessions.endAll();
      const closed = once(server, 'close');
      server.close();
      const timer = setTimeout(() => server.closeAllConnections(), FLUSH_MS);
      await closed;
      clearTimeout(timer);
    },
  };
}

async function bearer({ jwt, ...tokens }: NonNullable<HttpOptions['auth']>): Promise<Authenticate> {
  if (!jwt) return bearerAuthentication(tokens);
  const { jwtVerifier } = await import('./auth/jwt.ts');
  return bearerAuthentication(tokens, jwtVerifier(jwt));
}

async function listen(options: HttpOptions, listener: RequestListener): Promise<Server> {
  const { headersTimeoutMs, requestTimeoutMs } = options.limits;
  const timeouts = {
    headersTimeout: headersTimeoutMs,
    requestTimeout: requestTimeoutMs,
    connectionsCheckingInterval: CHECK_MS,
    keepAliveTimeout: 60_000,
  };
  const server = options.tls
    ? (await import('node:https')).createServer(
        { ...timeouts, ...options.tls, handshakeTimeout: headersTimeoutMs },
        listener,
      )
    : createServer(timeouts, listener);
  server.on('clientError', (_error, socket) => socket.destroy());
  server.listen(options.port, options.host);
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    const where = `${bracketed(options.host)}:${options.port}`;
    const why =
      error.code === 'EADDRINUSE' ? 'another program listens there; name another port' : error.message;
    throw new Error(`HTTP can't listen on ${where}: ${why}`, { cause: error });
  });
  // Such as no file descriptor left for one more connection: the others go on.
  server.on('error', (error) => options.log.error('HTTP can’t take a connection', { err: error }));
  return server;
}

/** Every address of a machine is no address that a client can call. */
function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  return host === '::' ? '::1' : host;
}
