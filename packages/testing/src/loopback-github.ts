import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface GitHubRequest {
  readonly method: string;
  readonly path: string;
  readonly accept: string;
  readonly authorization: string | undefined;
  readonly body: unknown;
}

export interface LoopbackGitHub extends AsyncDisposable {
  readonly url: string;
  /** Every request, oldest first. */
  readonly requests: readonly GitHubRequest[];
}

/** GitHub's API on loopback, as far as a review asks it: one pull request, in the shapes that GitHub answers. */
export async function loopbackGitHub({
  diff,
  status = 200,
  holdsPosts = false,
}: {
  readonly diff: string;
  /** Other than 200: what every request is refused with, in words that repeat the token, as some servers do. */
  readonly status?: number;
  /** What is posted arrives, and is never answered. */
  readonly holdsPosts?: boolean;
}): Promise<LoopbackGitHub> {
  const requests: GitHubRequest[] = [];
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const { method = '', url: path = '', headers } = request;
    requests.push({
      method,
      path,
      accept: String(headers.accept),
      authorization: headers.authorization,
      body: body === '' ? undefined : JSON.parse(body),
    });
    const json = (code: number, value: unknown) =>
      response
        .writeHead(code, { 'content-type': 'application/json; charset=utf-8' })
        .end(JSON.stringify(value));
    if (status !== 200) {
      return json(status, {
        message: `Refused for ${headers.authorization}`,
        documentation_url: 'https://docs.github.com/rest',
        status: String(status),
      });
    }
    if (path === '/repos/acme/shop/pulls/7' && method === 'GET') {
      if (headers.accept?.includes('diff'))
        return response
          .writeHead(200, { 'content-type': 'application/vnd.github.diff; charset=utf-8' })
          .end(diff);
      return json(200, {
        number: 7,
        state: 'open',
        title: 'Sign in',
        body: null,
        head: { ref: 'sign-in', sha: 'c0ffee0000000000000000000000000000000000' },
        base: { ref: 'main', sha: 'ba5e000000000000000000000000000000000000' },
      });
    }
    if (path === '/repos/acme/shop/pulls/7/reviews' && method === 'POST') {
      if (holdsPosts) return;
      return json(200, {
        id: 80,
        state: 'COMMENTED',
        html_url: 'https://github.com/acme/shop/pull/7#pullrequestreview-80',
      });
    }
    return json(404, { message: 'Not Found', status: '404' });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
