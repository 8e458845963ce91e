import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type Asked, answer, gitHubServer, pluginOn, repository, SHOP } from '../../test/github-server.ts';

const TOOLS = [
  ['repo_analyze', () => ({ repoUrl: 'acme/shop' })],
  ['repo_security_plan', () => ({ repoUrl: 'acme/shop' })],
  ['issue_triage', (url: string) => ({ issueUrl: `${url}/acme/shop/issues/7` })],
] as const;

/** What a server may do with every request, and what the caller is then told. */
const FAILURES: Readonly<
  Record<string, { answers: (asked: Asked, response: ServerResponse) => void; says: RegExp }>
> = {
  'a limit that is used up': {
    answers: (asked, response) =>
      answer(asked, response, {
        status: 403,
        value: { message: 'API rate limit exceeded' },
        also: { 'x-ratelimit-remaining': '0' },
      }),
    says: /limit|budget|allows/i,
  },
  'a redirect to another server': {
    answers: (_, response) => response.writeHead(302, { location: 'http://169.254.169.254/x' }).end(),
    says: /169\.254\.169\.254/,
  },
  'a page where JSON was asked for': {
    answers: (_, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html>down for maintenance'),
    says: /is not GitHub’s API.*no JSON/,
  },
  'a body that never ends': {
    answers: (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const chunk = Buffer.alloc(1 << 20, ' ');
      const more = () => {
        while (!response.destroyed && response.write(chunk));
      };
      response.on('drain', more);
      more();
    },
    says: /bytes|MB|large|long/i,
  },
};

afterEach(() => {
  vi.useRealTimers();
});

describe.each(TOOLS)('%s', (tool, argsFor) => {
  it.each(Object.entries(FAILURES))('fails, and says why, at %s', async (_kind, { answers, says }) => {
    const every = new Proxy({}, { get: () => answers });
    await using server = await gitHubServer(every);
    await using plugin = await pluginOn(server);
    const { isError, content } = await plugin.call(tool, argsFor(server.url));
    const text = JSON.stringify(content);
    expect([isError, text]).toEqual([true, expect.stringMatching(says)]);
    expect(server.asked).toHaveLength(1);
  });
});

describe('repo_analyze, once its answers are old', () => {
  it('asks by ETags alone: told 304, it gives what it had as asked now, and what changed it tells', async () => {
    let stars = 12;
    const told = (asked: Asked, response: ServerResponse) =>
      answer(asked, response, { value: repository({ stargazers_count: stars }) });
    await using server = await gitHubServer({ ...SHOP, 'GET /repos/acme/shop': told });
    await using plugin = await pluginOn(server);
    const ask = () => plugin.answer('repo_analyze', { repoUrl: 'acme/shop' });
    const { fetchedAt: before, ...first } = await ask();
    const asked = server.asked.length;
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 });
    const { fetchedAt: after, ...again } = await ask();
    expect(again).toEqual(first);
    expect(Date.parse(String(after))).toBeGreaterThan(Date.parse(String(before)));
    const later = server.asked.slice(asked);
    expect(later).toHaveLength(asked);
    expect(later.map(({ headers }) => headers['if-none-match'])).toEqual(
      later.map(() => expect.stringMatching(/^W\/"[0-9a-f]{64}"$/)),
    );
    stars = 13;
    vi.setSystemTime(Date.now() + 3_600_000);
    expect(await ask()).toMatchObject({ about: { stars: 13 } });
  });
});
