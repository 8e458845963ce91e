import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { createFetching, type FetchingParts, type PluginTestOptions, startPlugin } from '@nexus/testing';
import github from '../src/index.ts';

export interface Asked {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: unknown;
}

type Answer = unknown | ((asked: Asked, response: ServerResponse) => void);

/** What GitHub answers, by method and path; a function writes the answer itself. */
export type Routes = Readonly<Record<string, Answer>>;

export interface GitHubServer extends AsyncDisposable {
  readonly url: string;
  readonly asked: readonly Asked[];
}

/** GitHub on loopback as it speaks: gzip, ETags and 304, limits in headers, 404 as JSON. */
export async function gitHubServer(routes: Routes, base = ''): Promise<GitHubServer> {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    const sent = await text(request);
    const { method = '', url = '', headers } = request;
    const path = url.slice(base.length);
    const one = { method, path, headers, body: sent === '' ? undefined : JSON.parse(sent) };
    asked.push(one);
    const found = routes[`${method} ${path}`] ?? routes[`${method} ${path.split('?')[0]}`];
    if (typeof found === 'function') return found(one, response);
    const status = found === undefined ? 404 : method === 'POST' ? 201 : 200;
    answer(one, response, {
      status,
      value: found ?? {
        message: 'Not Found',
        documentation_url: 'https://docs.github.com/rest',
        status: '404',
      },
    });
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${base}`,
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export function answer(
  { headers }: Asked,
  response: ServerResponse,
  { status = 200, value, also = {} }: { status?: number; value: unknown; also?: Record<string, string> },
): void {
  const body = typeof value === 'string' ? value : JSON.stringify(value);
  const etag = `W/"${createHash('sha256').update(body).digest('hex')}"`;
  const common = {
    etag,
    'content-type':
      typeof value === 'string'
        ? 'application/vnd.github.raw; charset=utf-8'
        : 'application/json; charset=utf-8',
    'x-ratelimit-limit': '60',
    'x-ratelimit-remaining': '59',
    'x-ratelimit-reset': String(Math.ceil(Date.now() / 1_000) + 3_600),
    'x-ratelimit-resource': 'core',
    'x-github-media-type': 'github.v3; format=json',
    ...also,
  };
  if (status === 200 && headers['if-none-match'] === etag) return void response.writeHead(304, common).end();
  if (!String(headers['accept-encoding']).includes('gzip'))
    return void response.writeHead(status, common).end(body);
  response.writeHead(status, { ...common, 'content-encoding': 'gzip' }).end(gzipSync(body));
}

/** The plugin, with a way out that leads to `server` as GitHub. */
export async function pluginOn(
  server: Pick<GitHubServer, 'url'>,
  {
    key,
    fetching,
    ...test
  }: Omit<PluginTestOptions, 'fetching'> & { key?: string; fetching?: Partial<FetchingParts> } = {},
) {
  const plugin = await startPlugin(github, {
    ...test,
    fetching: (store, dataDir) =>
      createFetching({
        store,
        dataDir,
        settings: { github: { baseUrl: server.url, ...(key === undefined ? {} : { key }) } },
        allowHosts: [],
        userAgent: 'nexus-test',
        ...fetching,
      }),
  });
  return { ...plugin, [Symbol.asyncDispose]: () => plugin.stop() };
}

/** A repository as GitHub tells of it. */
export function repository(also: Readonly<Record<string, unknown>> = {}) {
  return {
    id: 1,
    name: 'shop',
    full_name: 'acme/shop',
    private: false,
    html_url: 'https://github.com/acme/shop',
    description: 'A shop',
    fork: false,
    archived: false,
    default_branch: 'main',
    stargazers_count: 12,
    forks_count: 3,
    open_issues_count: 4,
    license: { key: 'mit', name: 'MIT License', spdx_id: 'MIT' },
    topics: ['shop'],
    created_at: '2020-01-01T00:00:00Z',
    pushed_at: '2026-01-01T00:00:00Z',
    ...also,
  };
}

export function tree(paths: readonly string[], truncated = false) {
  return {
    sha: 'c0ffee',
    truncated,
    tree: paths.map((path) => ({
      path,
      type: path.endsWith('/') ? 'tree' : 'blob',
      mode: '100644',
      sha: 'a',
    })),
  };
}

const CI = `name: CI
on: [pull_request_target]
jobs:
  test:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
        with:
          ref: \${{ github.event.pull_request.head.sha }}
      - run: echo "\${{ github.event.pull_request.title }}"
`;

export const FILES = [
  'README.md',
  'package.json',
  'src/index.ts',
  'src/cart.ts',
  'api/requirements.txt',
  'api/main.py',
  'Dockerfile',
  '.github/workflows/ci.yml',
  'node_modules/x/package.json',
];

export const SHOP: Routes = {
  'GET /repos/acme/shop': repository(),
  'GET /repos/acme/shop/languages': { TypeScript: 7_500, Python: 2_500 },
  'GET /repos/acme/shop/git/trees/main': tree(FILES),
  'GET /repos/acme/shop/contents/.github/workflows/ci.yml': CI,
};
