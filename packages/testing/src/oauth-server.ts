import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

export interface OAuthServer extends AsyncDisposable {
  readonly url: string;
  /** Paths of the authorisation server, in order, as they were asked for. */
  readonly asked: readonly string[];
  /** Tokens that were valid until now are not any more; those who have a refresh token get a new one. */
  expire(): void;
  /** As after a user has withdrawn the permission: refreshing is refused, too. */
  revoke(): void;
}

export interface OAuthServerSwitches {
  /** What it says of itself instead of the truth. */
  readonly names?: {
    /** Where the metadata of the resource are; default: nothing, which means its own origin. */
    readonly metadata?: (origin: string) => string;
    readonly authorizationServer?: (origin: string) => string;
    /** Where whoever asks for the authorisation server's metadata is sent to. */
    readonly redirect?: (origin: string) => string;
  };
}

/**
 * An MCP server that wants a token, and its authorisation server, where everybody agrees. A refresh token
 * is good for one use.
 */
export async function oauthServer({ names = {} }: OAuthServerSwitches = {}): Promise<OAuthServer> {
  const asked: string[] = [];
  let issued = 0;
  let oldestValid = 0;
  let refreshToken = '';
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', origin());
    const body = await read(request);
    if (pathname === '/mcp') return serveMcp(request, response, body);
    if (!pathname.startsWith('/.well-known')) asked.push(pathname);
    const answer = authorize(pathname, searchParams, body);
    if (answer instanceof URL) response.writeHead(302, { location: answer.href }).end();
    else json(response, answer.status ?? 200, answer.body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const origin = () => `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;

  function serveMcp({ method, headers }: IncomingMessage, response: ServerResponse, body: string): void {
    const [, token = '-1'] = /^Bearer token-(\d+)$/.exec(headers.authorization ?? '') ?? [];
    if (Number(token) < oldestValid) {
      const metadata = names.metadata?.(origin());
      const challenge = metadata === undefined ? 'Bearer' : `Bearer resource_metadata="${metadata}"`;
      response.writeHead(401, { 'www-authenticate': challenge }).end();
      return;
    }
    if (method !== 'POST') {
      response.writeHead(405).end();
      return;
    }
    const { id, method: called, params } = JSON.parse(body);
    if (id === undefined) response.writeHead(202).end();
    else {
      const { protocolVersion } = params ?? {};
      const identity = { protocolVersion, capabilities: {}, serverInfo: { name: 'closed', version: '1' } };
      json(response, 200, { jsonrpc: '2.0', id, result: called === 'initialize' ? identity : { token } });
    }
  }

  function authorize(path: string, query: URLSearchParams, raw: string): URL | Answer {
    const issuer = origin();
    switch (path) {
      case '/.well-known/oauth-protected-resource/mcp':
      case '/elsewhere':
        return {
          body: {
            resource: `${issuer}/mcp`,
            authorization_servers: [names.authorizationServer?.(issuer) ?? issuer],
          },
        };
      case '/.well-known/oauth-authorization-server':
        if (names.redirect) return new URL(names.redirect(issuer));
        return {
          body: {
            issuer,
            authorization_endpoint: `${issuer}/authorize`,
            token_endpoint: `${issuer}/token`,
            registration_endpoint: `${issuer}/register`,
            response_types_supported: ['code'],
            code_challenge_methods_supported: ['S256'],
            token_endpoint_auth_methods_supported: ['none'],
          },
        };
      case '/register':
        return { status: 201, body: { ...JSON.parse(raw), client_id: `client-${asked.length}` } };
      case '/authorize': {
        const back = new URL(query.get('redirect_uri') ?? '');
        back.searchParams.set('code', 'code-1');
        back.searchParams.set('state', query.get('state') ?? '');
        return back;
      }
      case '/token':
        return tokens(new URLSearchParams(raw));
      default:
        return { status: 404, body: {} };
    }
  }

  function tokens(form: URLSearchParams): Answer {
    const isRefresh = form.get('grant_type') === 'refresh_token';
    if (isRefresh && form.get('refresh_token') !== refreshToken) {
      return { status: 400, body: { error: 'invalid_grant' } };
    }
    issued += 1;
    refreshToken = `refresh-${issued}`;
    return {
      body: { access_token: `token-${issued}`, token_type: 'Bearer', refresh_token: refreshToken },
    };
  }

  oldestValid = 1;
  return {
    url: `${origin()}/mcp`,
    asked,
    expire() {
      oldestValid = issued + 1;
    },
    revoke() {
      oldestValid = issued + 1;
      refreshToken = '';
    },
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
    },
  };
}

interface Answer {
  readonly status?: number;
  readonly body: object;
}

function json(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

async function read(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += chunk;
  return text;
}
