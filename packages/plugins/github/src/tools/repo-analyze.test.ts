import { describe, expect, it } from 'vitest';
import { answer, gitHubServer, pluginOn, repository, SHOP, tree } from '../../test/github-server.ts';

const url = { repoUrl: 'acme/shop' };

describe('repo_analyze', () => {
  it('tells what GitHub told, through gzip and its own wire format, and asks nothing again that is fresh', async () => {
    await using server = await gitHubServer(SHOP);
    await using plugin = await pluginOn(server);
    const told = await plugin.answer('repo_analyze', { ...url, includeSecurityGaps: true });
    expect(told).toMatchObject({
      repo: 'acme/shop',
      about: { description: 'A shop', stars: 12, license: 'MIT', visibility: 'public' },
      languages: { TypeScript: 75, Python: 25 },
      fileCount: 9,
      manifests: [
        { ecosystem: 'npm', path: 'package.json' },
        { ecosystem: 'pip', path: 'api/requirements.txt' },
        { ecosystem: 'docker', path: 'Dockerfile' },
      ],
      workflows: ['.github/workflows/ci.yml'],
    });
    const gaps = told.securityGaps as { id: string; evidence: string[] }[];
    expect(gaps.map(({ id }) => id)).toEqual([
      'unpinned-actions',
      'default-token-permissions',
      'checkout-of-foreign-code',
      'script-injection',
      'no-dependency-updates',
      'no-code-scanning',
      'no-secret-scanning',
      'no-security-policy',
      'no-codeowners',
      'no-lockfile-npm',
      'no-lockfile-pip',
    ]);
    expect(gaps[0]?.evidence).toEqual(['.github/workflows/ci.yml']);
    expect(server.asked.every(({ headers }) => headers.authorization === undefined)).toBe(true);
    const first = [...server.asked];
    const again = () => plugin.answer('repo_analyze', { ...url, includeSecurityGaps: true });
    await again();
    expect(server.asked).toHaveLength(first.length);
  });

  it.each([false, true])(
    'says that its answer is untrusted, and private as the repository is: %s',
    async (isPrivate) => {
      await using server = await gitHubServer({
        ...SHOP,
        'GET /repos/acme/shop': repository({ private: isPrivate }),
      });
      await using plugin = await pluginOn(server);
      const { _meta } = await plugin.call('repo_analyze', url);
      const privacy = isPrivate ? 'private' : 'public';
      expect(_meta).toEqual({ 'nexus/label': { trust: 'untrusted', privacy } });
    },
  );

  it('says how much of a long description it leaves out', async () => {
    await using server = await gitHubServer({
      ...SHOP,
      'GET /repos/acme/shop': repository({ description: 'x'.repeat(512) }),
    });
    await using plugin = await pluginOn(server);
    const description = `${'x'.repeat(500)}… (12 more characters)`;
    expect(await plugin.answer('repo_analyze', url)).toMatchObject({ about: { description } });
  });

  it('calls nothing missing of a tree that GitHub cut', async () => {
    await using server = await gitHubServer({
      ...SHOP,
      'GET /repos/acme/shop/git/trees/main': tree(['package.json'], true),
    });
    await using plugin = await pluginOn(server);
    expect(await plugin.answer('repo_analyze', { ...url, includeSecurityGaps: true })).toMatchObject({
      isTreeCut: true,
      securityGaps: [],
    });
  });

  it.each([['securityGaps'], ['about', 'securityGaps']])(
    'reads the gaps where they are asked for: %s',
    async (...fields) => {
      await using server = await gitHubServer(SHOP);
      await using plugin = await pluginOn(server);
      expect(await plugin.answer('repo_analyze', { ...url, fields })).toMatchObject({
        securityGaps: expect.arrayContaining([expect.objectContaining({ id: 'script-injection' })]),
      });
    },
  );

  it.each(['<html><p>: no</html>', 'on: push\njobs: [', 'plain', 'on: push\njobs: {}', '&a [*a, *a]'])(
    'names a workflow that is none as not read: %j',
    async (text) => {
      await using server = await gitHubServer({
        ...SHOP,
        'GET /repos/acme/shop/contents/.github/workflows/ci.yml': text,
      });
      await using plugin = await pluginOn(server);
      const told = await plugin.answer('repo_analyze', { ...url, includeSecurityGaps: true });
      expect(told.notRead).toEqual(['.github/workflows/ci.yml']);
      const ids = (told.securityGaps as { id: string }[]).map(({ id }) => id);
      expect(ids).not.toContain('default-token-permissions');
      expect(ids).not.toContain('no-code-scanning');
    },
  );

  it('tells of an empty repository that it has no files', async () => {
    await using server = await gitHubServer({
      ...SHOP,
      'GET /repos/acme/shop/git/trees/main': (asked: never, response: never) =>
        answer(asked, response, { status: 409, value: { message: 'Git Repository is empty.' } }),
    });
    await using plugin = await pluginOn(server);
    expect(await plugin.answer('repo_analyze', url)).toMatchObject({ fileCount: 0, manifests: [] });
  });

  it('answers the fields that were asked for, within its budget of tokens, and counts what it left out', async () => {
    const paths = Array.from({ length: 500 }, (_, at) => `package-${at}/package.json`);
    await using server = await gitHubServer({ ...SHOP, 'GET /repos/acme/shop/git/trees/main': tree(paths) });
    await using plugin = await pluginOn(server);
    const told = await plugin.answer('repo_analyze', { ...url, fields: ['manifests'], maxTokens: 400 });
    expect(Object.keys(told).sort()).toEqual(['cut', 'fetchedAt', 'manifests', 'repo']);
    expect(JSON.stringify(told).length).toBeLessThanOrEqual(400 * 3.5);
    const manifests = told.manifests as unknown[];
    expect(told.cut).toEqual([{ field: 'manifests', shown: manifests.length, total: 500 }]);
    expect(manifests.length).toBeGreaterThan(5);
  });

  it('asks an Enterprise below its base URL with its token, and knows its web addresses', async () => {
    await using server = await gitHubServer(SHOP, '/api/v3');
    await using plugin = await pluginOn(server, { key: 'ghp_enterprise' });
    const { host } = new URL(server.url);
    expect(
      await plugin.answer('repo_analyze', { repoUrl: `http://${host}/acme/shop/tree/main` }),
    ).toMatchObject({
      repo: 'acme/shop',
    });
    expect(server.asked.every(({ headers }) => headers.authorization === 'Bearer ghp_enterprise')).toBe(true);
    const other = await plugin.call('repo_analyze', { repoUrl: 'https://github.com/acme/shop' });
    expect(other).toMatchObject({
      isError: true,
      _meta: { 'nexus/error': { code: 'NEXUS_INVALID_ARGUMENTS' } },
    });
    expect(other.content[0]?.text).toContain('sources.github.baseUrl');
  });

  it('follows a repository that was renamed', async () => {
    await using server = await gitHubServer({
      ...SHOP,
      'GET /repos/acme/old': (
        _: never,
        response: { writeHead(status: number, headers: object): { end(): void } },
      ) => response.writeHead(301, { location: '/repositories/1' }).end(),
      'GET /repositories/1': repository(),
      'GET /repos/acme/old/languages': {},
      'GET /repos/acme/old/git/trees/main': tree([]),
    });
    await using plugin = await pluginOn(server);
    expect(await plugin.answer('repo_analyze', { repoUrl: 'acme/old' })).toMatchObject({ repo: 'acme/shop' });
  });

  it.each([
    [404, {}, 'NEXUS_NOT_FOUND', /private and needs a token.*without a token/],
    [401, {}, 'NEXUS_CONFIG', /sources\.github\.key/],
    [451, {}, 'NEXUS_NOT_FOUND', /legal reasons/],
    [403, { 'x-ratelimit-remaining': '0' }, 'NEXUS_RATE_LIMITED', /asked again in .* 60 requests an hour/],
    [403, { 'retry-after': '90' }, 'NEXUS_RATE_LIMITED', /asked again in 90 s/],
    [429, {}, 'NEXUS_RATE_LIMITED', /asked again in 60 s/],
  ])('says what is to be done where GitHub answers %i %o', async (status, also, code, words) => {
    await using server = await gitHubServer({
      'GET /repos/acme/shop': (asked: never, response: never) =>
        answer(asked, response, { status, value: { message: 'No.' }, also: also as Record<string, string> }),
    });
    await using plugin = await pluginOn(server);
    const result = await plugin.call('repo_analyze', url);
    expect(result).toMatchObject({ isError: true, _meta: { 'nexus/error': { code } } });
    expect(result.content[0]?.text).toMatch(words);
    expect(server.asked).toHaveLength(1);
  });

  it('waits for a secondary limit that is over soon, and asks once more', async () => {
    let count = 0;
    await using server = await gitHubServer({
      ...SHOP,
      'GET /repos/acme/shop': (asked: never, response: never) => {
        count += 1;
        if (count > 1) return answer(asked, response, { value: repository() });
        const value = { message: 'You have exceeded a secondary rate limit. Please wait a few minutes.' };
        answer(asked, response, { status: 403, value, also: { 'retry-after': '1' } });
      },
    });
    await using plugin = await pluginOn(server);
    expect(await plugin.answer('repo_analyze', url)).toMatchObject({ repo: 'acme/shop' });
    expect(count).toBe(2);
  });

  it('asks again where GitHub fails for a moment', async () => {
    let count = 0;
    await using server = await gitHubServer({
      ...SHOP,
      'GET /repos/acme/shop': (asked: never, response: never) => {
        count += 1;
        answer(asked, response, count > 1 ? { value: repository() } : { status: 502, value: 'Bad Gateway' });
      },
    });
    await using plugin = await pluginOn(server);
    expect(await plugin.answer('repo_analyze', url)).toMatchObject({ repo: 'acme/shop' });
  });

  it('gives an answer up that never ends', async () => {
    await using server = await gitHubServer({
      'GET /repos/acme/shop': (_: never, response: import('node:http').ServerResponse) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        const timer = setInterval(() => response.write(' '.repeat(1_000)), 5);
        response.once('close', () => clearInterval(timer));
      },
    });
    await using plugin = await pluginOn(server, { fetching: { requestMs: 100 } });
    const caller = new AbortController();
    const call = plugin.call('repo_analyze', url, { signal: caller.signal });
    await expect.poll(() => server.asked.length).toBe(1);
    const result = await call;
    expect(result.content[0]?.text).toMatch(/did not answer within 0\.1 s/);
  });

  it.each([
    'acme',
    'https://evil.example/acme/shop',
    'https://github.com.evil.example/acme/shop',
    'http://169.254.169.254/latest/meta-data',
    'file:///etc/passwd',
    'acme/..',
  ])('takes no other address: %s', async (repoUrl) => {
    await using server = await gitHubServer(SHOP);
    await using plugin = await pluginOn(server);
    const result = await plugin.call('repo_analyze', { repoUrl });
    expect(result.isError).toBe(true);
    expect(server.asked.filter(({ path }) => !path.startsWith('/repos/'))).toEqual([]);
  });
});
