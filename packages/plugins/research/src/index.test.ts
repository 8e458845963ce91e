import { loopbackSources, patientClock, testPlugin } from '@nexus/testing';
import { afterAll } from 'vitest';
import {
  atomFeed,
  crossrefItem,
  crossrefList,
  crossrefOne,
  openalexItem,
  repositoryItem,
  repositoryList,
  scholarItem,
} from '../test/wire.ts';
import research from './index.ts';

const work = {
  title: 'Roofs that hold water',
  abstract: 'Green roofs hold water in summer.',
  doi: '10.1000/r',
};

const sources = await loopbackSources(({ source, url }, response) => {
  const send = (value: unknown) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
  const id = url.searchParams.get('id_list')?.replace(/v\d+$/, '') ?? '2103.00001';
  switch (source) {
    case 'arxiv':
      return response.end(atomFeed([{ ...work, arxiv: id, doi: `10.1000/${id}` }]));
    case 'crossref':
      return send(
        url.pathname === '/works' ? crossrefList([crossrefItem(work)]) : crossrefOne(crossrefItem(work)),
      );
    case 'openalex':
      return send(openalexItem(work));
    case 'semantic_scholar':
      return send(scholarItem(work));
    case 'github':
      return send(repositoryList([repositoryItem('acme/roofs')]));
    default:
      return response
        .writeHead(200, { 'content-type': 'text/html' })
        .end('<title>Roofs</title><p>Roofs hold water, see arXiv:2101.00007.</p>');
  }
});
afterAll(() => sources[Symbol.asyncDispose]());

let added = 0;

testPlugin(research, {
  fetching: sources.fetching,
  testClock: patientClock(),
  prepare: async (plugin) => {
    await plugin.answer('research_add_source', {
      url: `${sources.url}/prepared`,
      name: 'Prepared',
      type: 'blog',
    });
    await plugin.answer('research_add', { arxivId: '2103.99999', topic: 'roofs' });
  },
  goodCalls: {
    research_add: async () => ({
      arxivId: `2103.0000${++added}`,
      topic: 'roofs',
      priority: 'P1',
      dryRun: true,
    }),
    research_add_source: { url: `${sources.url}/page`, name: 'Roofs', type: 'blog', dryRun: true },
    research_analyze: { focus: 'gaps' },
    research_catalog_review: { action: 'list' },
    research_discover: { topic: 'roofs', source: 'crossref' },
    research_query: { action: 'search', query: 'roofs' },
    research_synthesize: {},
    survey_oss_landscape: { query: 'roofs' },
  },
});
