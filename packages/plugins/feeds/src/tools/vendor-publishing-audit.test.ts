import { mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { loopbackSources, type PluginUnderTest, startPlugin } from '@nexus/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Audit } from '../audit/audit.ts';
import feeds from '../index.ts';

const DAY_MS = 86_400_000;
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS);

const rss = (items: string, end = '</channel></rss>') =>
  `<?xml version="1.0"?><rss version="2.0"><channel><title>Acme news</title>${items}${end}`;
const item = (id: string, days: number, title = `Release ${id}`) =>
  `<item><title>${title}</title><guid>${id}</guid><link>https://acme.example/${id}</link><pubDate>${daysAgo(days).toUTCString()}</pubDate></item>`;

const pages: Readonly<Record<string, { readonly type: string; readonly body: string }>> = {
  '/news.rss': {
    type: 'application/rss+xml',
    body: rss(item('1', 20) + item('2', 10, 'Fixes CVE-2026-12345') + item('3', 1)),
  },
  '/atom': {
    type: 'application/atom+xml',
    body: `<feed xmlns="http://www.w3.org/2005/Atom"><title>Acme</title><entry><id>a</id><title>One</title><updated>not a date</updated></entry><entry><id>a</id><title>Two</title></entry></feed>`,
  },
  '/feed.json': {
    type: 'application/feed+json',
    body: JSON.stringify({
      version: 'https://jsonfeed.org/version/1.1',
      title: 'Acme JSON',
      items: [
        { id: '1', url: 'https://acme.example/1', title: 'One', date_published: daysAgo(300).toISOString() },
        { id: '2', url: 'https://acme.example/2', title: 'Two', date_published: daysAgo(290).toISOString() },
        {
          id: '3',
          url: 'https://acme.example/3',
          title: 'Later',
          date_published: daysAgo(280).toISOString(),
        },
      ],
    }),
  },
  '/rdf': {
    type: 'application/rdf+xml',
    body: '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><title>Acme RDF</title></channel><item rdf:about="x"><title>a</title><link>https://x.example</link><dc:date>2024-01-01</dc:date></item></rdf:RDF>',
  },
  '/cut.rss': { type: 'application/rss+xml', body: rss(item('1', 2), '') },
  '/inside.rss': {
    type: 'application/rss+xml',
    body: rss(`${item('1', 3)}${item('2', 2)}<item><title>Half a ti`, ''),
  },
  '/inside.atom': {
    type: 'application/atom+xml',
    body: '<feed><title>A</title><entry><id>a</id><title>One</title></entry><entry><id>b</id><tit',
  },
  '/inside.rdf': {
    type: 'application/rdf+xml',
    body: '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"><channel><title>R</title></channel><item rdf:about="x"><title>a</title></item><item rdf:ab',
  },
  '/late.json': {
    type: 'application/feed+json',
    body: JSON.stringify({
      version: 'https://jsonfeed.org/version/1.1',
      title: 'Late',
      items: [300, 290, 280]
        .map((days) => daysAgo(days).toISOString())
        .concat('2099-01-01', '2026-02-30', 'Mon, 30 Feb 2026 00:00:00 GMT')
        .concat('Thu, 01 Jan 0001 00:00:00 GMT', '0001-01-01', '11/12/2026', '11-12-2026', '11.12.2026')
        .concat('Jan 1, 0001', 'Feb 30, 2026', '2026-2-30', '2026.02.30', 'Nov 30', 'release 3', '1.2')
        .map((date, id) => ({ id: `${id}`, url: 'https://acme.example', title: 'x', date_published: date })),
    }),
  },
  '/sitemap.xml': {
    type: 'application/xml',
    body: '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://acme.example/</loc><lastmod>2026-01-01</lastmod></url><url><loc>https://acme.example/b</loc></url></urlset>',
  },
  '/sitemaps.xml': {
    type: 'application/xml',
    body: '<sitemapindex><sitemap><loc>https://acme.example/s1.xml</loc></sitemap></sitemapindex>',
  },
  '/page': { type: 'text/html', body: '<title>No feed</title>' },
};

const sources = await loopbackSources(({ url }, response) => {
  const page = pages[url.pathname];
  if (!page) return void response.writeHead(404).end();
  const headers = { 'content-type': page.type, 'content-encoding': 'gzip', etag: '"1"' };
  response.writeHead(200, headers).end(gzipSync(page.body));
});
const at = (kind: string, path: string) => ({ kind, at: `${sources.url}${path}` });

let plugin: PluginUnderTest;
beforeAll(async () => {
  plugin = await startPlugin(feeds, {
    fetching: sources.fetching,
    options: {
      vendors: {
        acme: {
          title: 'Acme',
          publishes: [
            at('feed', '/news.rss'),
            at('feed', '/atom'),
            at('feed', '/feed.json'),
            at('feed', '/rdf'),
            at('feed', '/cut.rss'),
            at('feed', '/inside.rss'),
            at('feed', '/inside.atom'),
            at('feed', '/inside.rdf'),
            at('feed', '/late.json'),
            at('feed', '/page'),
            at('feed', '/never'),
            at('sitemap', '/sitemap.xml'),
            at('sitemap', '/sitemaps.xml'),
          ],
        },
        own: {
          publishes: [
            { kind: 'changelog', at: 'vendor/CHANGES.md' },
            { kind: 'changelog', at: 'none.md' },
          ],
        },
        long: { publishes: [{ kind: 'changelog', at: 'long.md' }] },
      },
    },
  });
  const signal = new AbortController().signal;
  for (const path of Object.keys(pages)) {
    await plugin.host.fetching.url(`${sources.url}${path}`, { signal });
  }
});
afterAll(async () => {
  await plugin.stop();
  await sources[Symbol.asyncDispose]();
});

const audit = (vendor: string) => plugin.answer<Audit>('vendor_publishing_audit', { vendor });

async function publication(path: string) {
  const { publications, findings } = await audit('acme');
  const of = `${sources.url}${path}`;
  return {
    publication: publications.find((each) => each.at === of),
    claims: findings.filter((each) => each.at === of).map(({ claim }) => claim),
  };
}

describe('vendor_publishing_audit', () => {
  it('says what a feed comes to, with time and hash of the copy that was read', async () => {
    const { publication: read } = await publication('/news.rss');
    expect(read).toMatchObject({
      state: 'read',
      fetchedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      ageHours: expect.any(Number),
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      facts: {
        format: 'rss',
        title: 'Acme news',
        entries: 3,
        last: daysAgo(1).toISOString().slice(0, 10),
        onSecurity: 1,
        withoutId: 0,
        latest: [{ title: 'Release 3', url: 'https://acme.example/3' }, {}, {}],
      },
    });
  });

  it('names doubled ids, missing and unreadable dates, and entries that lead nowhere', async () => {
    const { publication: read, claims } = await publication('/atom');
    expect(read?.facts).toMatchObject({ format: 'atom', title: 'Acme', doubledIds: ['a'] });
    expect(claims).toEqual(
      expect.arrayContaining([
        'Ids stand there more than once, so a reader misses entries: a.',
        '1 of 2 entries have no date.',
        '1 of 2 entries have a date that is none.',
        '2 of 2 entries lead nowhere.',
      ]),
    );
  });

  it('reads JSON Feed and RDF, and says since when a vendor has been silent', async () => {
    const { publication: json, claims } = await publication('/feed.json');
    expect(json?.facts).toMatchObject({ format: 'json', title: 'Acme JSON', medianDays: 10 });
    expect(claims).toContainEqual(
      expect.stringMatching(/^Its last entry was 28\d days before it was fetched/),
    );
    const { publication: rdf } = await publication('/rdf');
    expect(rdf?.facts).toMatchObject({ format: 'rdf', last: '2024-01-01' });
  });

  it('reads sitemaps and indexes of them', async () => {
    const { publication: map, claims } = await publication('/sitemap.xml');
    expect(map?.facts).toMatchObject({ format: 'sitemap', entries: 2, last: '2026-01-01' });
    expect(claims).toContain('1 of 2 entries have no date.');
    expect((await publication('/sitemaps.xml')).publication?.facts).toMatchObject({
      format: 'sitemap_index',
    });
  });

  it('says that a feed ends in its middle, and that a page is none', async () => {
    expect((await publication('/cut.rss')).claims).toContain(
      'It ends in its middle: what follows is not known.',
    );
    expect((await publication('/page')).publication).toMatchObject({
      state: 'unreadable',
      why: expect.stringContaining('It is no RSS, Atom, RDF or JSON feed'),
    });
  });

  it.each([
    ['/inside.rss', 2],
    ['/inside.atom', 1],
    ['/inside.rdf', 1],
  ])('reads what is whole of a feed that ends inside an entry: %s', async (path, entries) => {
    const { publication: read, claims } = await publication(path);
    expect(read).toMatchObject({ state: 'read', facts: { entries, isWhole: false } });
    expect(claims).toContain('It ends in its middle: what follows is not known.');
  });

  it('says of what can’t be read why', async () => {
    expect((await publication('/page')).claims).toContainEqual(
      expect.stringMatching(/^It can’t be read\. It is no RSS, Atom, RDF or JSON feed/),
    );
  });

  it('counts silence by what is not dated in the future, and takes no date that no calendar has', async () => {
    const { publication: late, claims } = await publication('/late.json');
    expect(late?.facts).toMatchObject({ inFuture: 1, unreadableDates: 14, medianDays: 10 });
    expect(claims).toContainEqual(expect.stringMatching(/^Its last entry was 28\d days before/));
    expect(JSON.stringify(late)).not.toContain('2026-03-02');
  });

  it('reports nothing of what was not fetched, says how to fetch it, and sends nothing itself', async () => {
    const before = sources.requests.length;
    const { publication: never, claims } = await publication('/never');
    expect(never).toEqual({ kind: 'feed', at: `${sources.url}/never`, state: 'not_fetched' });
    expect(claims).toEqual(['It is not served by https, so anybody on the way may change it.']);
    expect((await audit('acme')).toFetch).toBe('nexus feeds fetch acme');
    expect((await audit('nodejs')).publications.every(({ state }) => state === 'not_fetched')).toBe(true);
    expect(sources.requests).toHaveLength(before);
  });

  it('reads changelogs of the project, which make the answer private', async () => {
    const { projectRoot } = plugin.host;
    mkdirSync(join(projectRoot, 'vendor'), { recursive: true });
    writeFileSync(
      join(projectRoot, 'vendor/CHANGES.md'),
      '# Changes\n\n## [2.0.0] - 2026-02-01\n- a\n\n## 1.9.1 (2026-01-01)\n\nVersion 1.9.0\n=======\n\n~~~~md\n```\n# 9.9.9\n~~~\n## 9.9.8\n9.9.7\n-----\n~~~~\n<!-- later:\n## 9.9.6 (2026-03-01)\n-->\n',
    );
    const result = await plugin.call('vendor_publishing_audit', { vendor: 'own' });
    expect(result._meta).toMatchObject({ 'nexus/label': { trust: 'untrusted', privacy: 'private' } });
    expect(result.structuredContent).toMatchObject({
      publications: [
        {
          state: 'read',
          facts: {
            format: 'changelog',
            title: 'Changes',
            entries: 3,
            first: '2026-01-01',
            withoutDate: 1,
            latest: [{ title: '[2.0.0] - 2026-02-01', date: '2026-02-01' }, {}, {}],
          },
        },
        { state: 'unreadable', why: 'There is no file none.md in the project.' },
      ],
    });
    const open = await plugin.call('vendor_publishing_audit', { vendor: 'acme' });
    expect(open._meta).toMatchObject({ 'nexus/label': { trust: 'untrusted', privacy: 'public' } });
  });

  it('does not read a changelog that is too long, and says how long it may be', async () => {
    const { projectRoot } = plugin.host;
    writeFileSync(join(projectRoot, 'long.md'), '# Changes\n');
    truncateSync(join(projectRoot, 'long.md'), 10 * 1024 * 1024 + 1);
    expect((await audit('long')).publications).toMatchObject([
      {
        state: 'unreadable',
        why: 'long.md has 10485761 bytes; at most 10485760 are read. Cut it to its newest entries.',
      },
    ]);
  });

  it('names the nearest vendor where there is none of that name', async () => {
    const { isError, content } = await plugin.call('vendor_publishing_audit', { vendor: 'node' });
    expect(isError).toBe(true);
    expect(content[0]?.text).toContain('Did you mean nodejs');
    expect(await audit('NodeJS ')).toMatchObject({ vendor: 'nodejs', listedBy: 'nexus' });
  });
});
