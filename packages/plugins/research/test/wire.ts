// Answers as the sources write them: members, nesting and oddities of the real ones, the content made up.

export interface Told {
  readonly title: string;
  readonly authors?: readonly string[];
  readonly abstract?: string;
  readonly date?: string;
  readonly doi?: string;
  readonly arxiv?: string;
}

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** arXiv's API: Atom with its own namespaces, lines broken in the middle of titles and summaries. */
export function atomFeed(
  works: readonly (Told & { readonly version?: number; readonly comment?: string })[],
  { total = works.length, start = 0 }: { readonly total?: number; readonly start?: number } = {},
): string {
  const entries = works.map(
    ({
      title,
      authors = ['A. Nother'],
      abstract = 'None.',
      date = '2021-03-04',
      doi,
      arxiv,
      version = 1,
      comment,
    }) =>
      `  <entry>
    <id>http://arxiv.org/abs/${arxiv}v${version}</id>
    <updated>${date}T18:00:01Z</updated>
    <published>${date}T17:58:06Z</published>
    <title>${escaped(title).replace(/^(\S+ \S+ \S+) /, '$1\n  ')}</title>
    <summary>  ${escaped(abstract)}
</summary>
${authors.map((name) => `    <author>\n      <name>${escaped(name)}</name>\n    </author>`).join('\n')}
${doi === undefined ? '' : `    <arxiv:doi xmlns:arxiv="http://arxiv.org/schemas/atom">${doi}</arxiv:doi>\n    <link title="doi" href="http://dx.doi.org/${doi}" rel="related"/>`}
${comment === undefined ? '' : `    <arxiv:comment xmlns:arxiv="http://arxiv.org/schemas/atom">${escaped(comment)}</arxiv:comment>`}
    <link href="http://arxiv.org/abs/${arxiv}v${version}" rel="alternate" type="text/html"/>
    <link title="pdf" href="http://arxiv.org/pdf/${arxiv}v${version}" rel="related" type="application/pdf"/>
    <arxiv:primary_category xmlns:arxiv="http://arxiv.org/schemas/atom" term="cs.CL" scheme="http://arxiv.org/schemas/atom"/>
    <category term="cs.CL" scheme="http://arxiv.org/schemas/atom"/>
  </entry>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
  <link href="http://arxiv.org/api/query?search_query%3Dall%3Aroofs" rel="self" type="application/atom+xml"/>
  <title type="html">ArXiv Query: search_query=all:roofs</title>
  <id>http://arxiv.org/api/cHxbiOdZaP56ODnBPIenZhzg5f8</id>
  <updated>2026-11-20T00:00:00-05:00</updated>
  <opensearch:totalResults xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/">${total}</opensearch:totalResults>
  <opensearch:startIndex xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/">${start}</opensearch:startIndex>
  <opensearch:itemsPerPage xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/">${works.length}</opensearch:itemsPerPage>
${entries.join('\n')}
</feed>
`;
}

/** What arXiv answers to a question that it does not understand: an entry that is a fault, with status 200. */
export const atomError = `<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
  <id>http://arxiv.org/api///</id>
  <opensearch:totalResults xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/">1</opensearch:totalResults>
  <entry>
    <id>http://arxiv.org/api/errors#start_must_be_non-negative</id>
    <title>Error</title>
    <summary>start must be non-negative</summary>
  </entry>
</feed>`;

export function crossrefItem(
  { title, authors = ['Ada Nother'], abstract, date = '2021-06-01', doi = '10.1000/1' }: Told,
  more: object = {},
) {
  return {
    indexed: { 'date-parts': [[2026, 10, 1]], 'date-time': '2026-10-01T00:00:00Z', timestamp: 1790812800000 },
    'reference-count': 12,
    publisher: 'Society of Roofs',
    issue: '2',
    DOI: doi,
    type: 'journal-article',
    created: { 'date-parts': [[2021, 6, 1]], 'date-time': '2021-06-01T00:00:00Z', timestamp: 1622505600000 },
    page: '1-9',
    source: 'Crossref',
    'is-referenced-by-count': 7,
    title: [title],
    prefix: doi.split('/')[0],
    volume: '3',
    author: authors.map((name, at) => ({
      given: name.split(' ').slice(0, -1).join(' '),
      family: name.split(' ').at(-1),
      sequence: at === 0 ? 'first' : 'additional',
      affiliation: [],
    })),
    member: '78',
    'container-title': ['Journal of Roofs'],
    ...(abstract === undefined
      ? {}
      : { abstract: `<jats:title>Abstract</jats:title><jats:p>${escaped(abstract)}</jats:p>` }),
    deposited: { 'date-parts': [[2021, 6, 2]] },
    score: 17.2,
    issued: { 'date-parts': [date.split('-').map(Number)] },
    URL: `http://dx.doi.org/${doi}`,
    relation: {},
    ISSN: ['0000-0000'],
    ...more,
  };
}

export function crossrefList(
  items: readonly object[],
  { total = items.length, cursor }: { readonly total?: number; readonly cursor?: string } = {},
) {
  return {
    status: 'ok',
    'message-type': 'work-list',
    'message-version': '1.0.0',
    message: {
      facets: {},
      ...(cursor === undefined ? {} : { 'next-cursor': cursor }),
      'total-results': total,
      items,
      'items-per-page': items.length,
      query: { 'start-index': 0, 'search-terms': null },
    },
  };
}

export const crossrefOne = (item: object) => ({
  status: 'ok',
  'message-type': 'work',
  'message-version': '1.0.0',
  message: item,
});

export function openalexItem(
  { title, authors = ['Ada Nother'], abstract, date = '2021-06-01', doi, arxiv }: Told,
  more: object = {},
) {
  const places: Record<string, number[]> = {};
  (abstract ?? '').split(/\s+/).forEach((word, at) => {
    if (word !== '') places[word] = [...(places[word] ?? []), at];
  });
  const location = (url: string, type: string) => ({
    is_oa: true,
    landing_page_url: url,
    pdf_url: null,
    source: {
      id: 'https://openalex.org/S1',
      display_name: type === 'journal' ? 'Journal of Roofs' : 'arXiv',
      type,
    },
    license: null,
    version: type === 'journal' ? 'publishedVersion' : 'submittedVersion',
  });
  const locations = [
    ...(doi === undefined ? [] : [location(`https://doi.org/${doi}`, 'journal')]),
    ...(arxiv === undefined ? [] : [location(`http://arxiv.org/abs/${arxiv}`, 'repository')]),
  ];
  return {
    id: 'https://openalex.org/W2741809807',
    doi: doi === undefined ? null : `https://doi.org/${doi}`,
    title,
    publication_date: date,
    type: 'article',
    is_retracted: false,
    cited_by_count: 11,
    authorships: authors.map((name) => ({
      author_position: 'first',
      author: { id: 'https://openalex.org/A1', display_name: name, orcid: null },
      institutions: [],
    })),
    primary_location: locations[0] ?? null,
    locations,
    abstract_inverted_index: abstract === undefined ? null : places,
    ...more,
  };
}

export const openalexList = (
  items: readonly object[],
  { total = items.length, cursor = null as string | null } = {},
) => ({
  meta: {
    count: total,
    db_response_time_ms: 12,
    page: null,
    per_page: 100,
    next_cursor: cursor,
    groups_count: null,
  },
  results: items,
  group_by: [],
});

export function scholarItem(
  { title, authors = ['Ada Nother'], abstract, date = '2021-06-01', doi, arxiv }: Told,
  more: object = {},
) {
  return {
    paperId: '204e3073870fae3d05bcbc2f6a8e263d9b72e776',
    externalIds: {
      ...(doi === undefined ? {} : { DOI: doi }),
      ...(arxiv === undefined ? {} : { ArXiv: arxiv }),
      MAG: '2963403868',
      CorpusId: 13756489,
    },
    url: 'https://www.semanticscholar.org/paper/204e3073870fae3d05bcbc2f6a8e263d9b72e776',
    title,
    abstract: abstract ?? null,
    venue: 'Journal of Roofs',
    year: Number(date.slice(0, 4)),
    publicationDate: date,
    publicationTypes: ['JournalArticle'],
    citationCount: 13,
    authors: authors.map((name, at) => ({ authorId: String(at + 1), name })),
    ...more,
  };
}

export const scholarList = (
  items: readonly object[],
  { total = items.length, next }: { readonly total?: number; readonly next?: number } = {},
) => ({
  total,
  offset: 0,
  ...(next === undefined ? {} : { next }),
  data: items,
});

export function repositoryItem(name: string, more: object = {}) {
  return {
    id: 3081286,
    node_id: 'MDEwOlJlcG9zaXRvcnkzMDgxMjg2',
    name: name.split('/')[1],
    full_name: name,
    private: false,
    owner: { login: name.split('/')[0], id: 872147, type: 'User' },
    html_url: `https://github.com/${name}`,
    description: 'Roofs, drawn',
    fork: false,
    url: `https://api.github.com/repos/${name}`,
    created_at: '2012-01-01T00:31:50Z',
    updated_at: '2026-01-05T17:58:47Z',
    pushed_at: '2026-01-01T00:37:02Z',
    stargazers_count: 120,
    forks_count: 4,
    open_issues_count: 2,
    language: 'TypeScript',
    license: { key: 'mit', name: 'MIT License', spdx_id: 'MIT', url: 'https://api.github.com/licenses/mit' },
    archived: false,
    topics: ['roofs'],
    score: 1.0,
    ...more,
  };
}

export const repositoryList = (
  items: readonly object[],
  { total = items.length, incomplete = false } = {},
) => ({
  total_count: total,
  incomplete_results: incomplete,
  items,
});
