import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { isEqualSecret } from '@nexus/untrusted/secrets';
import { AuthorizationError } from './authorization-error.ts';

const HOST = '127.0.0.1';
const PATH = '/callback';

/** Where the browser comes back to with the authorisation's outcome. */
export interface RedirectListener extends AsyncDisposable {
  readonly url: string;
  /** To be sent along, and demanded back: a page elsewhere can't bring a code of its own. */
  readonly state: string;
  /** @throws {AuthorizationError} refused, or not in time */
  code(timeoutMs: number): Promise<string>;
}

/** Listens on loopback: on the wanted port if it is free, else on any. */
export async function listenForRedirect(wantedPort: number | undefined): Promise<RedirectListener> {
  const state = randomBytes(24).toString('base64url');
  const server = createServer();
  const outcome = new Promise<string | AuthorizationError>((resolve) => {
    server.on('request', (request, response) => {
      const url = urlOf(request);
      const found = url && readOutcome(url, state);
      respond(response, url ? found : MALFORMED);
      if (found !== undefined) resolve(found);
    });
  });
  const port = await listen(server, wantedPort);
  return {
    url: `http://${HOST}:${port}${PATH}`,
    state,
    async code(timeoutMs) {
      const late = new AuthorizationError(`was not authorised within ${timeoutMs / 1_000} s`);
      const found = await Promise.race([outcome, delay(timeoutMs, late, { ref: false })]);
      if (found instanceof AuthorizationError) throw found;
      return found;
    },
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function listen(server: Server, wantedPort = 0): Promise<number> {
  try {
    server.listen(wantedPort, HOST);
    await once(server, 'listening');
  } catch (error) {
    if (wantedPort === 0) throw error;
    return listen(server);
  }
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the listener has no port');
  return address.port;
}

/** @returns undefined for what can be asked for, as `//` can, and is no URL */
function urlOf({ url = '' }: IncomingMessage): URL | undefined {
  const base = `http://${HOST}`;
  return URL.canParse(url, base) ? new URL(url, base) : undefined;
}

/** @returns the code, why there is none, or undefined for a request that is not the awaited one */
function readOutcome(
  { pathname, searchParams }: URL,
  state: string,
): string | AuthorizationError | undefined {
  if (pathname !== PATH || !isEqualSecret(searchParams.get('state') ?? '', state)) return undefined;
  const error = searchParams.get('error');
  if (error !== null) {
    const why = searchParams.get('error_description') ?? error;
    return new AuthorizationError(`was not authorised: ${why}`);
  }
  return searchParams.get('code') ?? new AuthorizationError('was not authorised: the answer has no code');
}

const MALFORMED = Symbol('no URL');

function respond(
  response: ServerResponse,
  outcome: string | AuthorizationError | typeof MALFORMED | undefined,
): void {
  const [status, text] = answerTo(outcome);
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' }).end(text);
}

function answerTo(outcome: string | AuthorizationError | typeof MALFORMED | undefined): [number, string] {
  if (outcome === undefined) return [404, 'Nothing is waited for here.'];
  if (outcome === MALFORMED) return [400, 'That is no address.'];
  if (outcome instanceof AuthorizationError) return [400, 'Nexus was not authorised. The terminal says why.'];
  return [200, 'Nexus is authorised. You can close this page.'];
}
