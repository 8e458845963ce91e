import type { ServerResponse } from 'node:http';
import { sourceNames } from '@nexus/plugin-sdk';
import { type LoopbackSources, loopbackSources, type SeenRequest } from '@nexus/testing';

/** What sources and pages on this machine answer; pages by their path, else as `about` says. */
export interface SourceAnswers {
  readonly pages?: Readonly<Record<string, { readonly type: string; readonly body: string }>>;
  /** Written into each work, repository and issue. */
  readonly words?: string;
  /** Before anything else; true where it answered. */
  readonly first?: (request: SeenRequest, response: ServerResponse) => boolean;
}

/** The sources of the config on one loopback server, in their own wire formats, and pages beside them. */
export function answeringSources({ pages = {}, words = 'green roofs', first }: SourceAnswers = {}) {
  return loopbackSources((request, response) => {
    if (first?.(request, response)) return;
    const { source, url } = request;
    const json = (value: unknown, status = 200) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    if (source === undefined) {
      const page = pages[url.pathname];
      if (!page) return void response.writeHead(404).end();
      return void response.writeHead(200, { 'content-type': page.type, etag: '"1"' }).end(page.body);
    }
    if (source === 'arxiv') {
      const [id = '2101.00001'] = (url.searchParams.get('id_list') ?? '').split('v');
      return void response.writeHead(200, { 'content-type': 'application/atom+xml' }).end(atom(id, words));
    }
    if (source === 'crossref') {
      response.setHeader('x-rate-limit-limit', '50');
      response.setHeader('x-rate-limit-interval', '1s');
      return void json({ status: 'ok', message: { 'total-results': 0, items: [] } });
    }
    if (source === 'github') return void gitHub(url, words, json);
    return void json({ error: 'not found' }, 404);
  });
}

/** `sources` of a config that leads to them. */
export function sourcesSection({ url }: LoopbackSources) {
  const each = sourceNames.map((name) => [name, { baseUrl: `${url}/${name}` }]);
  return { ...Object.fromEntries(each), allowHosts: [new URL(url).host] };
}

function atom(id: string, words: string): string {
  const text = words.replace(/&/g, '&amp;').replace(/</g, '&lt;');
  return `<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/">
  <opensearch:totalResults>1</opensearch:totalResults>
  <entry>
    <id>http://arxiv.org/abs/${id}v1</id>
    <title>${text}</title>
    <summary>On ${text}, in summer.</summary>
    <published>2021-01-01T00:00:00Z</published>
    <updated>2021-01-01T00:00:00Z</updated>
    <author><name>Ann Roof</name></author>
  </entry>
</feed>`;
}

function gitHub(url: URL, words: string, json: (value: unknown, status?: number) => unknown): unknown {
  if (url.pathname.endsWith('/rate_limit')) {
    return json({ resources: { core: { limit: 60, remaining: 59, reset: 2_000_000_000 } } });
  }
  if (url.pathname.includes('/search/repositories')) {
    return json({ total_count: 0, incomplete_results: false, items: [] });
  }
  if (/\/issues\/\d+$/.test(url.pathname)) return json(issue(words));
  if (url.pathname.endsWith('/labels')) return json([{ name: 'bug' }]);
  if (url.pathname.includes('/search/issues')) return json({ total_count: 0, items: [] });
  return json({ message: 'Not Found' }, 404);
}

function issue(words: string) {
  return {
    number: 7,
    title: words.slice(0, 200),
    body: words,
    state: 'open',
    html_url: 'https://github.com/acme/shop/issues/7',
    user: { login: 'mallory', type: 'User' },
    author_association: 'NONE',
    labels: [],
    created_at: '2026-01-01T00:00:00Z',
    comments: 0,
  };
}
