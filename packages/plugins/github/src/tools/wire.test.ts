import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  type Asked,
  answer,
  gitHubServer,
  pluginOn,
  type Routes,
  repository,
  SHOP,
} from '../../test/github-server.ts';

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

it('asks on at once after the machine’s clock was set back', async () => {
  await using server = await gitHubServer(SHOP);
  await using plugin = await pluginOn(server);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 24 * 3_600_000 });
  await plugin.answer('repo_analyze', { repoUrl: 'acme/shop' });
  vi.useRealTimers();
  await using later = await pluginOn(server);
  expect(await later.answer('repo_analyze', { repoUrl: 'acme/shop' })).toMatchObject({ repo: 'acme/shop' });
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

const ALL: Routes = {
  ...SHOP,
  'GET /repos/acme/shop/issues/7': {
    ...{ number: 7, title: 'Crash when the cart is empty', body: 'It crashes.', state: 'open' },
    ...{ html_url: 'https://github.com/acme/shop/issues/7', user: { login: 'eve', type: 'User' } },
    ...{ author_association: 'NONE', labels: [], created_at: '2026-01-01T00:00:00Z', comments: 2 },
  },
  'GET /users/eve': { created_at: '2020-01-01T00:00:00Z', public_repos: 3, followers: 4 },
  'GET /search/issues': {
    items: [{ number: 3, title: 'Empty cart: crash', state: 'closed', html_url: 'u3' }],
  },
  'GET /repos/acme/shop/labels': [{ name: 'bug' }],
};

/** JSON that is none of GitHub's, whatever was asked for. */
const FORMLESS = [{}, [[]], 7, { items: {}, tree: 'x', labels: 1, name: [], title: {} }];

describe.each(TOOLS)('%s, where one answer has another form', (tool, argsFor) => {
  it('says so of that one, fails by no fault of its own, and makes nothing of it', async () => {
    await using whole = await gitHubServer(ALL);
    await using good = await pluginOn(whole);
    expect((await good.call(tool, argsFor(whole.url))).isError).toBeFalsy();
    // Of those that ask for a tag’s commit, one.
    const byKind = new Map(
      whole.asked.map(({ method, path }) => [
        path.replace(/.*\/commits\/.*/, 'commits'),
        `${method} ${path}`,
      ]),
    );
    const routes = [...byKind.values()];
    expect(routes.length).toBeGreaterThan(2);
    const cases = routes.flatMap((route) => FORMLESS.map((value) => ({ route, value })));
    const told = await Promise.all(
      cases.map(async ({ route, value }) => {
        const formless = (asked: Asked, response: ServerResponse) => answer(asked, response, { value });
        await using server = await gitHubServer({ ...ALL, [route]: formless });
        await using plugin = await pluginOn(server);
        const result = await plugin.call(tool, argsFor(server.url));
        return { ...result, where: `${route} answered with ${JSON.stringify(value)}` };
      }),
    );
    for (const { isError, content, structuredContent, where } of told) {
      // Of what is optional the answer says that it could not be had; a list may be empty, as an object may.
      expect(JSON.stringify(structuredContent ?? {}), where).not.toMatch(/undefined|NaN|\[object/);
      if (isError) expect(content[0]?.text, where).toMatch(/in a form that is not known|no JSON/);
    }
  });
});
