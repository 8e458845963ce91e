import { existsSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type SourceName, sourceNames } from '@nexus/plugin-sdk';
import { loopbackSources, patientClock, type SeenRequest, startPlugin } from '@nexus/testing';
import { describe, expect, it } from 'vitest';
import {
  atomFeed,
  crossrefItem,
  crossrefList,
  openalexItem,
  openalexList,
  repositoryList,
  scholarList,
} from '../test/wire.ts';
import research from './index.ts';

type Answer = (request: SeenRequest, response: ServerResponse) => void;

const send =
  (text: string | Buffer, type: string, headers: Record<string, string> = {}): Answer =>
  (_, response) =>
    response.writeHead(200, { 'content-type': type, ...headers }).end(text);
const json = (value: unknown) => send(JSON.stringify(value), 'application/json');
const status =
  (code: number, headers: Record<string, string> = {}): Answer =>
  (_, response) =>
    response.writeHead(code, { 'content-type': 'application/json', ...headers }).end('{"message":"no"}');

const roofs = { title: 'Green roofs', authors: ['Ada Nother'], abstract: 'Green roofs hold water.' };
const NOTHING: Record<SourceName, Answer> = {
  arxiv: send(atomFeed([]), 'application/atom+xml'),
  crossref: json(crossrefList([])),
  openalex: json(openalexList([])),
  semantic_scholar: json(scholarList([])),
  github: json(repositoryList([])),
};

const FOUND = {
  crossref: json(crossrefList([crossrefItem({ ...roofs, doi: '10.1000/roof.1' })])),
  openalex: json(openalexList([openalexItem({ ...roofs, doi: '10.1000/roof.1' })])),
};

/** What a server may do instead of an answer, and what is then told of its source. */
const FAILURES: Readonly<
  Record<string, { readonly answer: Answer; readonly says: RegExp; readonly requestMs?: number }>
> = {
  'a limit that is reached': {
    answer: status(429, { 'retry-after': '600' }),
    says: /asked again|limit|no turn/i,
  },
  'a key that is wrong': { answer: status(401), says: /401.*\.key/ },
  'no such path': { answer: status(404), says: /does not know|404/ },
  'a fault of its own': { answer: status(500), says: /500/ },
  'a redirect to an address inside': {
    answer: status(302, { location: 'http://169.254.169.254/latest/meta-data' }),
    says: /169\.254\.169\.254/,
  },
  'redirects without end': {
    answer: (request, response) =>
      response
        .writeHead(302, {
          location: `${request.source ? `/${request.source}` : ''}${request.url.pathname}`,
        })
        .end(),
    says: /redirect|302/i,
  },
  'a page of a proxy': { answer: send('<html><body>Sign in', 'text/html'), says: /form|no whole feed/ },
  'JSON of another kind': {
    answer: json({ items: 7, results: {}, data: 'x', message: [] }),
    says: /form|no whole feed/,
  },
  'nothing but braces': { answer: json({}), says: /form|no whole feed|found nothing/ },
  'a list where an object was': { answer: json([[]]), says: /form|no whole feed/ },
  nothing: { answer: send('', 'application/json'), says: /form|no whole feed/ },
  'what says that it is packed and is not': {
    answer: send('not gzip at all', 'application/json', { 'content-encoding': 'gzip' }),
    says: /unpack|decod|broken|read|incorrect/i,
  },
  'more than anybody reads, packed small': {
    answer: send(gzipSync(Buffer.alloc(12 << 20, 32)), 'application/json', { 'content-encoding': 'gzip' }),
    says: /bytes|MiB|large/i,
  },
  'a body that never ends': {
    answer: (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const chunk = Buffer.alloc(1 << 20, ' ');
      const more = () => {
        while (!response.destroyed && response.write(chunk));
      };
      response.on('drain', more);
      more();
    },
    says: /bytes|MiB|large/i,
  },
  'a body that breaks off': {
    answer: (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
      response.write('{"message":');
      setTimeout(() => response.destroy(), 5);
    },
    says: /broke|closed|terminated|ended|reset/i,
  },
  'no answer at all': { answer: () => {}, says: /did not answer|took longer|within/i, requestMs: 2_000 },
};

const IS_A_PAGE = new Set([
  'a page of a proxy',
  'JSON of another kind',
  'nothing but braces',
  'a list where an object was',
  'nothing',
]);
/** Where a page is told of otherwise than a source. */
const PAGE_SAYS: Readonly<Record<string, RegExp>> = {
  'a key that is wrong': /401/,
};

/** On a busy machine a page that is packed small takes its time, and that is not what is told of it. */
const LONG_MS = 300_000;

/** A plugin whose sources find nothing, but for those that the test gives answers of. */
async function under(answers: Partial<Record<SourceName | 'page', Answer>>, requestMs = LONG_MS) {
  const sources = await loopbackSources(
    (request, response) => {
      const { page, ...bySource } = answers;
      const answer = request.source ? { ...NOTHING, ...bySource }[request.source] : page;
      (answer ?? status(404))(request, response);
    },
    { requestMs, allowHosts: ['127.0.0.1'] },
  );
  const plugin = await startPlugin(research, { fetching: sources.fetching, testClock: patientClock() });
  return {
    sources,
    plugin,
    async [Symbol.asyncDispose]() {
      await plugin.stop();
      await sources[Symbol.asyncDispose]();
    },
  };
}

describe.concurrent.each(Object.entries(FAILURES))('at %s', (kind, { answer, says, requestMs }) => {
  it.each(['crossref', 'openalex'] as const)(
    'a search gives what %s found, and says of each other source that it failed and why',
    async (alive) => {
      const failing = sourceNames.filter((source) => source !== alive);
      const answers = Object.fromEntries(failing.map((source) => [source, answer]));
      await using where = await under({ ...answers, [alive]: FOUND[alive] }, requestMs);
      const told = await where.plugin.answer<{ items: object[]; failedSources: object[] }>(
        'research_discover',
        { topic: 'green roofs' },
      );
      expect(told.items).toMatchObject([{ id: 'doi:10.1000/roof.1', foundBy: [alive] }]);
      const message = expect.stringMatching(says);
      expect(told.failedSources).toEqual(
        failing.map((source) => expect.objectContaining({ source, found: 0, message })),
      );
    },
  );

  it.each([
    ['survey_oss_landscape', { query: 'green roofs' }, 'github'],
    ['research_add', { arxivId: '2103.00001', topic: 'roofs' }, 'arxiv'],
  ] as const)('%s fails, says why, and keeps nothing', async (tool, args, source) => {
    await using where = await under({ [source]: answer }, requestMs);
    const { isError, content, _meta } = await where.plugin.call(tool, args);
    const text = content.map((each) => each.text).join('\n');
    expect([isError, text]).toEqual([true, expect.stringMatching(says)]);
    expect(_meta?.['nexus/error']).toMatchObject({ code: expect.not.stringMatching(/INTERNAL/) });
    expect(existsSync(join(where.plugin.host.projectRoot ?? '', '.nexus/research/papers.yaml'))).toBe(false);
  });

  it('research_add adds what arXiv says, and names who else could not be asked', async () => {
    const arxiv = send(
      atomFeed([{ ...roofs, arxiv: '2103.00001', doi: '10.1000/roof.1' }]),
      'application/atom+xml',
    );
    const others = { crossref: answer, openalex: answer, semantic_scholar: answer };
    await using where = await under({ arxiv, ...others }, requestMs);
    const told = await where.plugin.answer<{ added: boolean; failedSources: { source: string }[] }>(
      'research_add',
      { arxivId: '2103.00001', topic: 'roofs' },
    );
    expect(told.added).toBe(true);
    // That a source does not know a work is an answer.
    const isUnknown = kind === 'no such path';
    expect(told.failedSources.map((each) => each.source).sort()).toEqual(
      isUnknown ? [] : ['crossref', 'openalex', 'semantic_scholar'],
    );
  });

  // What is on a page is its own affair; a JSON, or a proxy's words, is a page too.
  it.runIf(!IS_A_PAGE.has(kind))('research_add_source keeps nothing of a page, and says why', async () => {
    await using where = await under({ page: answer }, requestMs);
    const args = { url: `${where.sources.url}/roofs`, name: 'Roofs', type: 'blog' };
    const { isError, content, _meta } = await where.plugin.call('research_add_source', args);
    const text = content.map((each) => each.text).join('\n');
    expect([isError, text]).toEqual([true, expect.stringMatching(PAGE_SAYS[kind] ?? says)]);
    expect(_meta?.['nexus/error']).toMatchObject({ code: expect.not.stringMatching(/INTERNAL/) });
    expect(existsSync(join(where.plugin.host.projectRoot ?? '', '.nexus/research/sources.yaml'))).toBe(false);
  });
});
