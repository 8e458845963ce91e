import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, vi } from 'vitest';
import { fetchingUnderTest, loopback } from '../test/loopback.ts';

const { signal } = new AbortController();
const text = ({ body }: { body: Uint8Array }) => Buffer.from(body).toString();

describe('a fetched page', () => {
  it('says where it came from, what it is, its hash and when it was fetched', async () => {
    await using server = await loopback((request, response) => {
      if (request.url === '/old') return response.writeHead(301, { location: '/new#part' }).end();
      response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' });
      return response.end(gzipSync('hello'));
    });
    await using under = fetchingUnderTest({ allowHosts: ['127.0.0.1'] });
    const before = Date.now();
    const fetched = await under.fetching.url(`${server.url}/old`, { signal });
    expect(fetched).toMatchObject({
      url: `${server.url}/new#part`,
      status: 200,
      contentType: 'text/html',
      sha256: createHash('sha256').update('hello').digest('hex'),
      isFromCache: false,
    });
    expect(text(fetched)).toBe('hello');
    expect(fetched.fetchedAt).toBeGreaterThanOrEqual(before);
    expect(server.requests[0]?.headers['user-agent']).toBe('nexus-test');
  });

  it('is kept, and asked for again by its validators alone once it is old', async () => {
    await using server = await loopback((request, response) => {
      if (request.headers['if-none-match'] === '"one"') return response.writeHead(304).end();
      return response.writeHead(200, { etag: '"one"' }).end('first');
    });
    await using under = fetchingUnderTest({ allowHosts: ['127.0.0.1'] });
    const page = () => under.fetching.url(`${server.url}/a`, { signal });
    const first = await page();
    expect(await page()).toMatchObject({ isFromCache: true, fetchedAt: first.fetchedAt });
    expect(server.requests).toHaveLength(1);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 });
    try {
      const again = await page();
      expect(again).toMatchObject({ isFromCache: true });
      expect(again.fetchedAt).toBeGreaterThan(first.fetchedAt);
      expect(text(again)).toBe('first');
      expect(server.requests).toHaveLength(2);
    } finally {
      vi.useRealTimers();
    }
  });

  it('is what it was, and says since when and why, where its server is gone', async () => {
    let isGone = false;
    await using server = await loopback((_, response) => {
      if (isGone) response.destroy();
      else response.end('what it was');
    });
    await using under = fetchingUnderTest({ allowHosts: ['127.0.0.1'] });
    const page = () => under.fetching.url(`${server.url}/a`, { signal });
    const { fetchedAt } = await page();
    isGone = true;
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 });
    try {
      const stale = await page();
      expect(stale).toMatchObject({ isFromCache: true, fetchedAt });
      expect(stale.staleBecause).toMatch(/could not be reached/);
      expect(text(stale)).toBe('what it was');
    } finally {
      vi.useRealTimers();
    }
  });

  it('is not given from what is kept where its host may no longer be reached', async () => {
    await using server = await loopback((_, response) => response.end('inside'));
    await using under = fetchingUnderTest({ allowHosts: ['127.0.0.1'] });
    await under.fetching.url(server.url, { signal });
    await using later = fetchingUnderTest({ dataDir: under.dataDir });
    await expect(later.fetching.url(server.url, { signal })).rejects.toMatchObject({ code: 'NEXUS_DENIED' });
  });

  it('is not another page whose file has its name', async () => {
    await using server = await loopback((request, response) => response.end(request.url));
    await using under = fetchingUnderTest({ allowHosts: ['127.0.0.1'] });
    await under.fetching.url(`${server.url}/a`, { signal });
    const folder = join(under.dataDir, 'fetching');
    const [file = ''] = readdirSync(folder);
    const bytes = readFileSync(join(folder, file));
    await under.fetching.url(`${server.url}/b`, { signal });
    for (const each of readdirSync(folder)) writeFileSync(join(folder, each), bytes);
    expect(text(await under.fetching.url(`${server.url}/b`, { signal }))).toBe('/b');
  });

  it('is asked for once where it only redirects to itself', async () => {
    await using server = await loopback((_, response) => response.writeHead(302, { location: '/' }).end());
    await using under = fetchingUnderTest({ allowHosts: ['127.0.0.1'] });
    await expect(under.fetching.url(server.url, { signal })).rejects.toThrow(/redirects more than 5 times/);
    expect(server.requests).toHaveLength(6);
  });

  it('is fetched anew where what was kept of it is damaged', async () => {
    await using server = await loopback((_, response, count) => response.end(`answer ${count}`));
    await using under = fetchingUnderTest({ allowHosts: ['127.0.0.1'] });
    const page = () => under.fetching.url(`${server.url}/a`, { signal });
    await page();
    const folder = join(under.dataDir, 'fetching');
    for (const file of readdirSync(folder)) writeFileSync(join(folder, file), 'no JSON\nbody');
    expect(text(await page())).toBe('answer 2');
  });

  it.each([
    ['as it is sent', (body: Buffer) => body, {}],
    ['unpacked', gzipSync, { 'content-encoding': 'gzip' }],
  ])('is read no further than its limit, %s', async (_, pack, headers) => {
    await using server = await loopback((_request, response) => {
      response.writeHead(200, headers).end(pack(Buffer.alloc(3_000_000)));
    });
    await using under = fetchingUnderTest({ allowHosts: ['127.0.0.1'] });
    const call = under.fetching.url(server.url, { signal, maxBytes: 1_000_000 });
    await expect(call).rejects.toThrow(/more than 1000000 bytes/);
    // It would be no smaller the next time.
    expect(server.requests).toHaveLength(1);
    expect((await under.fetching.url(server.url, { signal })).body).toHaveLength(3_000_000);
    const kept = under.fetching.url(server.url, { signal, maxBytes: 1_000_000 });
    await expect(kept).rejects.toThrow(/more than 1000000 bytes/);
  });

  it('that never ends is given up at the deadline of its request', async () => {
    await using server = await loopback((_, response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write('x'), 5);
      response.once('close', () => clearInterval(timer));
    });
    await using under = fetchingUnderTest({ allowHosts: ['127.0.0.1'], requestMs: 100 });
    await expect(under.fetching.url(server.url, { signal })).rejects.toThrow(/did not answer within 0\.1 s/);
  });

  it('that is waited for ends with its caller', async () => {
    await using server = await loopback(() => {});
    await using under = fetchingUnderTest({ allowHosts: ['127.0.0.1'] });
    const caller = new AbortController();
    const call = under.fetching.url(server.url, { signal: caller.signal });
    await expect.poll(() => server.requests.length).toBe(1);
    caller.abort(new Error('gone'));
    await expect(call).rejects.toThrow('gone');
    expect(server.requests).toHaveLength(1);
  });

  it('is asked for again where its server fails, and not where it says no', async () => {
    await using server = await loopback((request, response, count) => {
      if (request.url === '/no') return response.writeHead(404).end('none');
      return response.writeHead(count < 3 ? 503 : 200).end('at last');
    });
    await using under = fetchingUnderTest({ allowHosts: ['127.0.0.1'] });
    expect(text(await under.fetching.url(`${server.url}/a`, { signal }))).toBe('at last');
    expect(await under.fetching.url(`${server.url}/no`, { signal })).toMatchObject({ status: 404 });
    expect(server.requests).toHaveLength(4);
  });
});

describe('a source', () => {
  it('is asked below its base URL, under its key, which nothing that is kept holds', async () => {
    await using server = await loopback((_, response) => response.end('{}'));
    const used: unknown[] = [];
    await using under = fetchingUnderTest({
      settings: { github: { baseUrl: `${server.url}/api/v3`, key: 'ghp_secret' } },
      secretUsed: (use) => used.push(use),
    });
    await under.fetching.source('github', { path: '/repos/a/b', query: { q: 'x y' }, signal });
    const [request] = server.requests;
    expect(request?.url).toBe('/api/v3/repos/a/b?q=x+y');
    expect(request?.headers.authorization).toBe('Bearer ghp_secret');
    expect(used).toEqual([{ name: 'sources.github.key', by: 'source github' }]);
    await expect(under.fetching.source('github', { path: '../../admin', signal })).rejects.toMatchObject({
      code: 'NEXUS_INVALID_ARGUMENTS',
    });
    expect(server.requests).toHaveLength(1);
  });

  it('does not get its key asked for elsewhere by a redirect', async () => {
    await using other = await loopback((_, response) => response.end('{}'));
    await using server = await loopback((_, response) => {
      response.writeHead(302, { location: `http://other.example:${other.port}/` }).end();
    });
    await using under = fetchingUnderTest({
      names: { 'other.example': '127.0.0.1' },
      allowHosts: ['other.example'],
      settings: { semantic_scholar: { baseUrl: server.url, key: 'secret' } },
    });
    await under.fetching.source('semantic_scholar', { path: '/x', signal });
    expect(server.requests[0]?.headers['x-api-key']).toBe('secret');
    expect(other.requests[0]?.headers).not.toHaveProperty('x-api-key');
  });

  it('says what it has left, and when it has some again, and is not asked before', async () => {
    await using server = await loopback((_, response) => {
      const reset = Math.ceil(Date.now() / 1_000) + 600;
      response.writeHead(200, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': `${reset}` }).end('{}');
    });
    await using under = fetchingUnderTest({ settings: { github: { baseUrl: server.url } } });
    await under.fetching.source('github', { path: '/a', signal });
    const status = await under.fetching.status('github');
    expect(status).toMatchObject({ source: 'github', isEnabled: true, remaining: 0 });
    expect(status.inMs).toBeGreaterThan(590_000);
    const call = under.fetching.source('github', { path: '/b', signal });
    await expect(call).rejects.toMatchObject({ code: 'NEXUS_RATE_LIMITED', detail: { source: 'github' } });
    expect(server.requests).toHaveLength(1);
  });

  it('gives an answer that has come, though nobody can be told that its turn is over', async () => {
    let close = async () => {};
    await using server = await loopback(async (_, response) => {
      await close();
      response.end('{}');
    });
    await using under = fetchingUnderTest({ settings: { crossref: { baseUrl: server.url } } });
    close = () => under.store.close();
    expect(await under.fetching.source('crossref', { path: '/a', signal })).toMatchObject({ status: 200 });
  });

  it('says no count of requests where what it has left is an amount of money', async () => {
    await using server = await loopback((_, response) => {
      response.writeHead(200, { 'x-ratelimit-remaining': '0.0089', 'x-ratelimit-reset': '600' }).end('{}');
    });
    await using under = fetchingUnderTest({ settings: { openalex: { baseUrl: server.url, key: 'k' } } });
    await under.fetching.source('openalex', { path: '/a', signal });
    expect(await under.fetching.status('openalex')).toMatchObject({ remaining: undefined, hasKey: true });
    await under.fetching.source('openalex', { path: '/b', signal });
    expect(server.requests).toHaveLength(2);
  });

  it('that says for how long it is not to be asked is not asked for so long', async () => {
    await using server = await loopback((_, response) => {
      response.writeHead(429, { 'retry-after': '120' }).end();
    });
    await using under = fetchingUnderTest({ settings: { crossref: { baseUrl: server.url } } });
    const ask = (path: string) => under.fetching.source('crossref', { path, signal });
    await expect(ask('/a')).rejects.toMatchObject({ detail: { source: 'crossref', retryAfterMs: 120_000 } });
    await expect(ask('/b')).rejects.toMatchObject({ code: 'NEXUS_RATE_LIMITED' });
    expect(server.requests).toHaveLength(1);
  });

  it('gives a client of its own any answer as it came, asked for once, with what it says of its limits', async () => {
    await using server = await loopback((request, response) => {
      if (request.url === '/down') return void response.writeHead(503).end('{}');
      const link = '<https://api.github.com/x?page=2>; rel="next"';
      response
        .writeHead(403, { 'retry-after': '30', link, 'x-ratelimit-remaining': '7' })
        .end('{"message":"no"}');
    });
    await using under = fetchingUnderTest({ settings: { github: { baseUrl: server.url } } });
    const ask = (path: string) => under.fetching.source('github', { path, isRaw: true, signal });
    expect(await ask('/down')).toMatchObject({ status: 503 });
    const refused = await ask('/x');
    expect(refused).toMatchObject({
      status: 403,
      headers: { 'retry-after': '30', 'x-ratelimit-remaining': '7' },
    });
    expect(refused.headers.link).toContain('rel="next"');
    expect(server.requests).toHaveLength(2);
    await expect(ask('/y')).rejects.toMatchObject({ code: 'NEXUS_RATE_LIMITED' });
    expect(server.requests).toHaveLength(2);
  });

  it('is written to once, where it was sent, whatever it answers, and nothing of that is kept', async () => {
    await using server = await loopback((request, response) => {
      if (request.url === '/moved') return void response.writeHead(307, { location: '/else' }).end();
      response.writeHead(request.url === '/down' ? 502 : 200).end('{}');
    });
    await using under = fetchingUnderTest({ settings: { github: { baseUrl: server.url } } });
    const write = (path: string) =>
      under.fetching.source('github', { path, method: 'POST', body: '{"labels":["bug"]}', signal });
    expect([await write('/a'), await write('/a'), await write('/down'), await write('/moved')]).toMatchObject(
      [
        { status: 200, isFromCache: false },
        { status: 200, isFromCache: false },
        { status: 502 },
        { status: 307 },
      ],
    );
    expect(server.requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'POST /a',
      'POST /a',
      'POST /down',
      'POST /moved',
    ]);
    expect(server.requests[0]?.headers['content-type']).toBe('application/json');
    const read = await under.fetching.source('github', { path: '/a', signal });
    expect(read.isFromCache).toBe(false);
  });

  it('is not asked where the config turns it off', async () => {
    await using under = fetchingUnderTest({ settings: { arxiv: { enabled: false } } });
    await expect(under.fetching.source('arxiv', { path: '/', signal })).rejects.toThrow(
      /sources\.arxiv\.enabled/,
    );
  });
});
