import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { SourceName } from '@nexus/plugin-sdk';
import {
  type LoopbackSourcesOptions,
  loopbackSources,
  patientClock,
  type SeenRequest,
  startPlugin,
} from '@nexus/testing';
import { describe, expect, it, vi } from 'vitest';
import {
  atomError,
  atomFeed,
  crossrefItem,
  crossrefList,
  openalexItem,
  openalexList,
  repositoryItem,
  repositoryList,
  scholarItem,
  scholarList,
} from '../../test/wire.ts';
import research from '../index.ts';

type Answer = (request: SeenRequest, response: ServerResponse) => void;

interface Discovered {
  readonly items: readonly Record<string, unknown>[];
  readonly total: number;
  readonly sources: readonly Record<string, unknown>[];
  readonly failedSources: readonly Record<string, unknown>[];
  readonly alreadyInRegistry: readonly Record<string, unknown>[];
}

const json =
  (value: unknown, headers: Record<string, string> = {}): Answer =>
  (_, response) =>
    response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));
const xml =
  (text: string): Answer =>
  (_, response) =>
    response.writeHead(200, { 'content-type': 'application/atom+xml; charset=utf-8' }).end(text);
const status =
  (code: number, headers: Record<string, string> = {}, text = ''): Answer =>
  (_, response) =>
    response.writeHead(code, headers).end(text);

const empty: Record<SourceName, Answer> = {
  arxiv: xml(atomFeed([])),
  crossref: json(crossrefList([])),
  openalex: json(openalexList([])),
  semantic_scholar: json(scholarList([])),
  github: json(repositoryList([])),
};

/** Sources that find nothing, but for those that the test gives answers of. */
async function researchWith(answers: Partial<Record<SourceName, Answer>>, options?: LoopbackSourcesOptions) {
  const sources = await loopbackSources(
    (request, response) => request.source && { ...empty, ...answers }[request.source](request, response),
    options,
  );
  const plugin = await startPlugin(research, { fetching: sources.fetching, testClock: patientClock() });
  return {
    sources,
    plugin,
    discover: (input: object = {}) =>
      plugin.answer<Discovered>('research_discover', { topic: 'green roofs', ...input }),
    asked: (source: SourceName) => sources.requests.filter((request) => request.source === source),
    async [Symbol.asyncDispose]() {
      await plugin.stop();
      await sources[Symbol.asyncDispose]();
    },
  };
}

const roofs = {
  title: 'Roofs that hold water: a study of green roofs',
  authors: ['Ada Nother', 'Ben Other'],
  abstract: 'Green roofs hold water. We measured 12 of them & found that 80% do.',
};

describe('research_discover', () => {
  it('gives preprint and article as one work, with the versions of both and each source that has it', async () => {
    await using under = await researchWith({
      arxiv: xml(atomFeed([{ ...roofs, arxiv: '2103.00001', version: 2, doi: '10.1000/ROOF.1' }])),
      crossref: json(crossrefList([crossrefItem({ ...roofs, doi: '10.1000/roof.1' })])),
      openalex: json(openalexList([openalexItem({ ...roofs, doi: '10.1000/roof.1', arxiv: '2103.00001' })])),
      semantic_scholar: json(
        scholarList([scholarItem({ ...roofs, doi: '10.1000/Roof.1', arxiv: '2103.00001' })]),
      ),
      github: json(repositoryList([repositoryItem('Acme/roofs')])),
    });
    const { items, failedSources, sources } = await under.discover();
    expect(failedSources).toEqual([]);
    expect(items.map(({ id }) => id)).toEqual(['doi:10.1000/roof.1', 'github:acme/roofs']);
    expect(items[0]).toMatchObject({
      title: roofs.title,
      authors: roofs.authors,
      kind: 'article',
      ids: [
        'arxiv:2103.00001',
        'openalex:W2741809807',
        's2:204e3073870fae3d05bcbc2f6a8e263d9b72e776',
        'corpus:13756489',
      ],
      foundBy: ['crossref', 'openalex', 'semantic_scholar', 'arxiv'],
      summary: roofs.abstract,
      retraction: { status: 'none_known', ageDays: 0 },
    });
    expect(items[0]?.versions).toEqual([
      { id: 'arxiv:2103.00001', kind: 'preprint', number: 2, date: '2021-03-04' },
      { id: 'doi:10.1000/roof.1', kind: 'article', date: '2021-06-01' },
    ]);
    expect(sources.map(({ source }) => source)).toEqual([
      'arxiv',
      'crossref',
      'openalex',
      'semantic_scholar',
      'github',
    ]);
  });

  it('keeps works apart that have one title, and no id in common', async () => {
    await using under = await researchWith({
      crossref: json(
        crossrefList([
          crossrefItem({ ...roofs, doi: '10.1000/1' }),
          crossrefItem({ ...roofs, doi: '10.1000/2' }),
        ]),
      ),
    });
    const { items, total } = await under.discover();
    expect(items.map(({ id }) => id)).toEqual(['doi:10.1000/1', 'doi:10.1000/2']);
    expect(total).toBe(2);
  });

  it('says that a work was retracted, by whom it knows, and how old that knowledge is', async () => {
    await using under = await researchWith({
      crossref: json(
        crossrefList([
          crossrefItem(
            { ...roofs, doi: '10.1000/bad' },
            {
              'updated-by': [
                {
                  DOI: '10.1000/notice',
                  type: 'retraction',
                  label: 'Retraction',
                  source: 'retraction-watch',
                },
              ],
            },
          ),
        ]),
      ),
      openalex: json(openalexList([openalexItem({ ...roofs, doi: '10.1000/bad' })])),
    });
    const { items } = await under.discover();
    expect(items).toHaveLength(1);
    expect(items[0]?.retraction).toMatchObject({ status: 'retracted', source: 'crossref', ageDays: 0 });
  });

  it('does not say of a work that it was not retracted where nobody was asked who would know', async () => {
    await using under = await researchWith({
      arxiv: xml(atomFeed([{ ...roofs, arxiv: '2103.00001' }])),
    });
    const { items } = await under.discover({ source: 'arxiv' });
    expect(items[0]?.retraction).toMatchObject({ status: 'unknown' });
  });

  it('tells a source that has no budget, with when it has some again, and the others still answer', async () => {
    await using under = await researchWith({
      semantic_scholar: status(429, { 'retry-after': '600' }, '{"message":"Too Many Requests","code":"429"}'),
      crossref: json(crossrefList([crossrefItem({ ...roofs })])),
    });
    const before = Date.now();
    const { items, failedSources } = await under.discover();
    expect(items).toHaveLength(1);
    expect(failedSources).toEqual([
      expect.objectContaining({ source: 'semantic_scholar', reason: 'rate_limited', hasKey: false }),
    ]);
    const again = Date.parse(String(failedSources[0]?.againAt));
    expect(again).toBeGreaterThanOrEqual(before + 590_000);
  });

  it('tells a search that GitHub gave up for one that failed, or for a part where it found something', async () => {
    const givenUp = { total: 0, incomplete: true };
    await using none = await researchWith({ github: json(repositoryList([], givenUp)) });
    const { sources, failedSources } = await none.discover();
    expect(failedSources).toMatchObject([
      { source: 'github', reason: 'unavailable', message: expect.stringContaining('gave its search up') },
    ]);
    expect(sources.map(({ source }) => source)).not.toContain('github');
    const survey = await none.plugin.call('survey_oss_landscape', { query: 'roofs' });
    expect(survey).toMatchObject({ isError: true, _meta: { 'nexus/error': { code: 'NEXUS_UNAVAILABLE' } } });
    expect(survey.content[0]?.text).toContain('gave its search up');
    const part = repositoryList([repositoryItem('acme/roof')], { total: 9, incomplete: true });
    await using some = await researchWith({ github: json(part) });
    const found = await some.discover({ source: 'github' });
    expect(found.sources).toMatchObject([{ source: 'github', found: 1, isIncomplete: true }]);
  });

  it('takes 406 of arXiv for throttling', async () => {
    await using under = await researchWith({ arxiv: status(406, { 'retry-after': '60' }) });
    const { failedSources } = await under.discover();
    expect(failedSources).toEqual([expect.objectContaining({ source: 'arxiv', reason: 'rate_limited' })]);
    expect(under.asked('arxiv')).toHaveLength(1);
  });

  it('says what each source has left, and what one without a key is limited to', async () => {
    await using under = await researchWith({
      openalex: json(openalexList([]), { 'x-ratelimit-remaining': '97', 'x-ratelimit-reset': '36000' }),
    });
    const { sources } = await under.discover();
    const openalex = sources.find(({ source }) => source === 'openalex');
    expect(openalex).toMatchObject({ hasKey: false, left: { requests: 97 } });
    expect(openalex?.note).toMatch(/without sources\.openalex\.key/);
    await using withKey = await researchWith({}, { settings: { openalex: { key: 'k-1' } } });
    const { sources: keyed } = await withKey.discover();
    expect(keyed.find(({ source }) => source === 'openalex')).not.toHaveProperty('note');
    expect(withKey.asked('openalex')[0]?.url.searchParams.get('api_key')).toBe('k-1');
  });

  it('goes through the pages of each source until it has what was asked for', async () => {
    const many = (from: number, count: number) =>
      Array.from({ length: count }, (_, at) => ({
        ...roofs,
        title: `Roof study number ${from + at} of many`,
      }));
    await using under = await researchWith({
      arxiv: ({ url }, response) => {
        const start = Number(url.searchParams.get('start'));
        const works = many(start, 100).map((work, at) => ({ ...work, arxiv: `2103.${10_000 + start + at}` }));
        xml(atomFeed(works, { total: 400, start }))({ url } as SeenRequest, response);
      },
      crossref: ({ url }, response) => {
        const isFirst = url.searchParams.get('cursor') === '*';
        const items = many(isFirst ? 0 : 100, isFirst ? 100 : 20).map((work, at) =>
          crossrefItem({ ...work, doi: `10.1000/c${isFirst ? at : 100 + at}` }),
        );
        json(crossrefList(items, { total: 120, cursor: 'DnF1ZXJ5VGhlbkZldGNo' }))(
          { url } as SeenRequest,
          response,
        );
      },
      openalex: ({ url }, response) => {
        const isFirst = url.searchParams.get('cursor') === '*';
        const items = many(0, 100).map((work, at) =>
          openalexItem(work, { id: `https://openalex.org/W${isFirst ? 1000 + at : 2000 + at}` }),
        );
        json(openalexList(items, { total: 200, cursor: isFirst ? 'IlsxNjA5' : null }))(
          { url } as SeenRequest,
          response,
        );
      },
      semantic_scholar: ({ url }, response) => {
        const offset = Number(url.searchParams.get('offset'));
        const items = many(offset, 100).map((work, at) =>
          scholarItem(work, {
            paperId: (offset + at).toString(16).padStart(40, '0'),
            externalIds: { CorpusId: 5_000 + offset + at },
          }),
        );
        json(scholarList(items, { total: 1_000, next: offset + 100 }))({ url } as SeenRequest, response);
      },
      github: ({ url }, response) => {
        const page = Number(url.searchParams.get('page'));
        const items = Array.from({ length: 100 }, (_, at) => repositoryItem(`acme/roof-${page}-${at}`));
        json(repositoryList(items, { total: 500 }))({ url } as SeenRequest, response);
      },
    });
    const { sources, items, total } = await under.discover({ maxResults: 150 });
    expect(sources.map(({ source, found }) => [source, found])).toEqual([
      ['arxiv', 150],
      ['crossref', 120],
      ['openalex', 150],
      ['semantic_scholar', 150],
      ['github', 150],
    ]);
    expect(items).toHaveLength(150);
    expect(total).toBe(720);
    for (const source of ['arxiv', 'crossref', 'openalex', 'semantic_scholar', 'github'] as const) {
      expect(under.asked(source), source).toHaveLength(2);
    }
  });

  it('keeps what a source gave before it failed, and says that it failed', async () => {
    await using under = await researchWith({
      semantic_scholar: ({ url }, response) => {
        if (url.searchParams.get('offset') !== '0') return response.writeHead(500).end();
        const items = Array.from({ length: 100 }, (_, at) =>
          scholarItem(
            { title: `Roof ${at}` },
            { paperId: at.toString(16).padStart(40, '0'), externalIds: { CorpusId: at } },
          ),
        );
        return json(scholarList(items, { total: 500, next: 100 }))({ url } as SeenRequest, response);
      },
    });
    const { total, failedSources } = await under.discover({ maxResults: 150 });
    expect(total).toBe(100);
    expect(failedSources).toEqual([
      expect.objectContaining({ source: 'semantic_scholar', reason: 'unavailable', found: 100 }),
    ]);
  });

  it('asks each source for what was published since', async () => {
    await using under = await researchWith({});
    await under.discover({ sinceDate: '2024-05-06' });
    const asked = (source: SourceName, key: string) => under.asked(source)[0]?.url.searchParams.get(key);
    expect(asked('arxiv', 'search_query')).toBe(
      'all:green AND all:roofs AND submittedDate:[202405060000 TO 299912312359]',
    );
    expect(asked('crossref', 'filter')).toBe('from-pub-date:2024-05-06');
    expect(asked('openalex', 'filter')).toBe('from_publication_date:2024-05-06');
    expect(asked('semantic_scholar', 'publicationDateOrYear')).toBe('2024-05-06:');
    expect(asked('github', 'q')).toBe('green roofs pushed:>=2024-05-06');
  });

  it('passes no operator of a source’s own language on', async () => {
    await using under = await researchWith({});
    await under.discover({ topic: 'roofs) OR all:(everything user:secret ANDNOT "x' });
    expect(under.asked('arxiv')[0]?.url.searchParams.get('search_query')).toBe(
      'all:roofs AND all:all AND all:everything AND all:user AND all:secret AND all:x',
    );
    expect(under.asked('github')[0]?.url.searchParams.get('q')).toBe('roofs all everything user secret x');
  });

  it('reads what comes packed, and asks again by validators alone once it is old', async () => {
    await using under = await researchWith({
      crossref: ({ headers }, response) => {
        if (headers['if-none-match'] === '"r1"') return response.writeHead(304).end();
        const body = gzipSync(JSON.stringify(crossrefList([crossrefItem({ ...roofs })])));
        return response
          .writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip', etag: '"r1"' })
          .end(body);
      },
    });
    const first = await under.discover({ source: 'crossref' });
    expect((await under.discover({ source: 'crossref' })).items).toEqual(first.items);
    expect(under.asked('crossref')).toHaveLength(1);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * 3_600_000 });
    try {
      const later = await under.discover({ source: 'crossref' });
      expect(later.items.map(({ id }) => id)).toEqual(first.items.map(({ id }) => id));
      expect(under.asked('crossref')).toHaveLength(2);
      expect(later.sources[0]?.asOf).not.toBe(first.sources[0]?.asOf);
    } finally {
      vi.useRealTimers();
    }
  });

  it('says since when it knows, and why it knows nothing newer, where a source is gone', async () => {
    let isGone = false;
    await using under = await researchWith({
      crossref: (request, response) => {
        if (isGone) response.destroy();
        else json(crossrefList([crossrefItem({ ...roofs })]))(request, response);
      },
    });
    const first = await under.discover({ source: 'crossref' });
    isGone = true;
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3 * 86_400_000 });
    try {
      const { items, sources } = await under.discover({ source: 'crossref' });
      expect(items[0]?.retraction).toMatchObject({ ageDays: 3 });
      expect(sources[0]).toMatchObject({ asOf: first.sources[0]?.asOf });
      expect(sources[0]?.staleBecause).toMatch(/could not be reached/);
    } finally {
      vi.useRealTimers();
    }
  });

  it.each<[string, Answer, RegExp]>([
    [
      'a body that never ends',
      (_, response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        const timer = setInterval(() => response.write(' '), 5);
        response.once('close', () => clearInterval(timer));
      },
      /did not answer within/,
    ],
    ['no JSON', status(200, {}, '<html>Maintenance</html>'), /in a form that is not known/],
    ['another form', json({ message: { items: 'none' } }), /in a form that is not known/],
    ['its own refusal', status(400, {}, '{"message":"cursor is broken"}'), /answers 400.*cursor is broken/],
    ['a wrong key', status(401, {}, '{"error":"bad key"}'), /sources\.crossref\.key/],
  ])('that gets %s of a source says so', async (_, answer, reason) => {
    await using under = await researchWith({ crossref: answer }, { requestMs: 300 });
    const { failedSources } = await under.discover();
    expect(failedSources).toEqual([
      expect.objectContaining({ source: 'crossref', message: expect.stringMatching(reason) }),
    ]);
  });

  it.each<[string, string, RegExp]>([
    ['is cut in its middle', atomFeed([{ ...roofs, arxiv: '2103.00001' }]).slice(0, -200), /no whole feed/],
    ['is a fault', atomError, /start must be non-negative/],
    ['is none', '<html><body>Rate exceeded.</body></html>', /no whole feed/],
  ])('tells a feed that %s', async (_, text, reason) => {
    await using under = await researchWith({ arxiv: xml(text) });
    const { failedSources, items } = await under.discover();
    expect(items).toEqual([]);
    expect(failedSources).toEqual([
      expect.objectContaining({ source: 'arxiv', message: expect.stringMatching(reason) }),
    ]);
  });

  it('expands no entity that a feed defines', async () => {
    const bomb = atomFeed([{ ...roofs, arxiv: '2103.00001' }])
      .replace(
        '<feed',
        '<!DOCTYPE feed [<!ENTITY a "aaaaaaaaaa"><!ENTITY x SYSTEM "file:///etc/passwd">]><feed',
      )
      .replace('Green roofs hold', '&a;&x; hold');
    await using under = await researchWith({ arxiv: xml(bomb) });
    const { items } = await under.discover({ source: 'arxiv' });
    expect(items[0]?.summary).toMatch(/^&a;&x; hold water\./);
  });

  it('counts entries that it can’t read, and gives the others', async () => {
    await using under = await researchWith({
      crossref: json(crossrefList([{ DOI: 7 }, crossrefItem({ ...roofs })])),
    });
    const { items, sources } = await under.discover({ source: 'crossref' });
    expect(items).toHaveLength(1);
    expect(sources[0]).toMatchObject({ found: 1, unreadable: 1 });
  });

  it('is an error where no source could be asked, and no empty list', async () => {
    const gone = status(429, { 'retry-after': '600' });
    await using under = await researchWith({ crossref: gone });
    const result = await under.plugin.call('research_discover', { topic: 'roofs', source: 'crossref' });
    expect(result.isError).toBe(true);
    expect(result.content[0]?.text).toMatch(/No source could be asked.*\n.*crossref.*Again from/s);
    expect(result._meta?.['nexus/error']).toMatchObject({ code: 'NEXUS_RATE_LIMITED' });
  });

  it('does not ask a source that the config turns off', async () => {
    await using under = await researchWith({}, { settings: { github: { enabled: false } } });
    const { failedSources } = await under.discover();
    expect(failedSources).toEqual([expect.objectContaining({ source: 'github', reason: 'turned_off' })]);
    expect(under.asked('github')).toEqual([]);
  });
});

it('says where a topic has more words than a source is asked for', async () => {
  await using research = await researchWith({});
  const topic = Array.from({ length: 15 }, (_, at) => `word${at}`).join(' ');
  const { sources } = await research.discover({ topic });
  const says = 'the topic has 15 words, and was asked for by its first 12; say it in fewer';
  const told = sources.filter(({ note }) => String(note).includes(says));
  expect(told.map(({ source }) => source).sort()).toEqual(['arxiv', 'github', 'semantic_scholar']);
  const { source } = await research.plugin.answer<{ source: object }>('survey_oss_landscape', {
    query: topic,
  });
  expect(source).toMatchObject({ note: says });
  const few = await research.discover({ topic: 'green roofs' });
  expect(JSON.stringify(few.sources)).not.toContain('was asked for by');
});

const repositories =
  (count: number, total = count): Answer =>
  (request, response) => {
    const rows = Number(request.url.searchParams.get('per_page'));
    const from = (Number(request.url.searchParams.get('page')) - 1) * rows;
    const items = Array.from({ length: Math.max(0, Math.min(rows, count - from)) }, (_, at) =>
      repositoryItem(`acme/roof-${from + at}`),
    );
    json(repositoryList(items, { total }))(request, response);
  };

describe('a list that is read on', () => {
  it('of several sources has each work once, in the same order as in one go', async () => {
    const papers = Array.from({ length: 30 }, (_, at) => ({ ...roofs, title: `Study ${at}` }));
    await using under = await researchWith({
      github: repositories(12),
      crossref: (request, response) => {
        const rows = Number(request.url.searchParams.get('rows'));
        const items = papers.map((paper, at) => crossrefItem({ ...paper, doi: `10.1000/${at}` }));
        json(crossrefList(items.slice(0, rows), { total: 30 }))(request, response);
      },
      // The other way round: what is last in one is first in the other.
      openalex: (request, response) => {
        const rows = Number(
          request.url.searchParams.get('per_page') ?? request.url.searchParams.get('per-page'),
        );
        const items = papers.map((paper, at) =>
          openalexItem({ ...paper, doi: `10.1000/${at}` }, { id: `https://openalex.org/W${100 + at}` }),
        );
        json(openalexList(items.reverse().slice(0, rows), { total: 30 }))(request, response);
      },
    });
    const read: unknown[] = [];
    let offset: number | undefined = 0;
    let last = 0;
    while (offset !== undefined) {
      const part: Discovered & { nextOffset?: number } = await under.discover({ maxResults: 4, offset });
      read.push(...part.items.map(({ id }) => id));
      offset = part.nextOffset;
      last = part.total;
    }
    expect(read).toHaveLength(42);
    expect(new Set(read).size).toBe(42);
    expect(last).toBe(42);
  });

  it('of one source goes on where that has more, and ends where it ends', async () => {
    await using under = await researchWith({ github: repositories(25) });
    const part = (offset: number) =>
      under.discover({ source: 'github', maxResults: 10, offset }) as Promise<
        Discovered & { nextOffset?: number }
      >;
    const parts = [await part(0), await part(10), await part(20)];
    expect(parts.map(({ items }) => items.length)).toEqual([10, 10, 5]);
    expect(parts.map(({ nextOffset }) => nextOffset)).toEqual([10, 20, undefined]);
    expect(new Set(parts.flatMap(({ items }) => items.map(({ id }) => id))).size).toBe(25);
  });

  it('of repositories begins at any offset, over the bounds of GitHub’s pages, and says where its list ends', async () => {
    await using under = await researchWith({ github: repositories(1_000, 4_000) });
    const names = async (input: object) => {
      const answer = await under.plugin.answer<{
        candidates: { name: string }[];
        total: number;
        source: { note?: string };
      }>('survey_oss_landscape', { query: 'roofs', ...input });
      expect(answer.total).toBe(4_000);
      expect(answer.source.note).toBe('GitHub gives the first 1000 of them; ask for fewer to see the others');
      return answer.candidates.map(({ name }) => name);
    };
    const from = (first: number, length: number) =>
      Array.from({ length }, (_, at) => `acme/roof-${first + at}`);
    expect(await names({ maxResults: 20 })).toEqual(from(0, 20));
    expect(await names({ maxResults: 20, offset: 20 })).toEqual(from(20, 20));
    expect(await names({ maxResults: 50, offset: 90 })).toEqual(from(90, 50));
    expect(await names({ maxResults: 50, offset: 990 })).toEqual(from(990, 10));
  });
});
