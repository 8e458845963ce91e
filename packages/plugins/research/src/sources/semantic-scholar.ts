import type { Fetched } from '@nexus/plugin-sdk';
import { z } from 'zod';
import { arxivId, doiId, semanticScholarId, type WorkId } from '../identity/ids.ts';
import type { WorkKind, WorkRecord, WorkVersion } from '../identity/record.ts';
import {
  type Asking,
  askJson,
  oneLine,
  originOf,
  PAGE,
  readEach,
  readOne,
  type SearchPage,
} from './asking.ts';
import { noteOnWords, wordsToAsk } from './words-to-ask.ts';

const Item = z.object({
  paperId: z.string(),
  externalIds: z
    .object({
      DOI: z.string().nullish(),
      ArXiv: z.string().nullish(),
      CorpusId: z.union([z.number(), z.string()]).nullish(),
    })
    .nullish(),
  title: z.string(),
  abstract: z.string().nullish(),
  year: z.number().nullish(),
  publicationDate: z.string().nullish(),
  publicationTypes: z.array(z.string()).nullish(),
  venue: z.string().nullish(),
  citationCount: z.number().nullish(),
  url: z.string().nullish(),
  authors: z.array(z.object({ name: z.string().nullish() })).nullish(),
});

const List = z.object({
  // Where it found nothing, it says that alone.
  total: z.number(),
  next: z.number().nullish(),
  data: z.array(z.unknown()).default([]),
});

const FIELDS =
  'externalIds,title,abstract,year,publicationDate,publicationTypes,venue,citationCount,url,authors.name';
/** Its relevance search gives no more than a thousand in all. */
const MOST = 1_000;

export const searchSemanticScholar: SearchPage = async ({ topic, max, since }, asking, next) => {
  const { fetched, value } = await askJson(
    'semantic_scholar',
    {
      path: '/graph/v1/paper/search',
      query: {
        // A hyphen finds nothing there.
        query: wordsToAsk(topic).join(' '),
        limit: String(Math.min(PAGE, max)),
        offset: next ?? '0',
        fields: FIELDS,
        ...(since === undefined ? {} : { publicationDateOrYear: `${since}:` }),
      },
      schema: List,
    },
    asking,
  );
  const { next: offset, data, total } = value;
  return {
    ...readEach(data, Item, (item) => toRecord(item, fetched)),
    total: total ?? undefined,
    fetched,
    next: offset == null || offset >= MOST || data.length === 0 ? undefined : String(offset),
    ...noteOnWords(topic),
  };
};

/** One work by a DOI or an id of arXiv. @throws {ToolError} as `ask` */
export async function semanticScholarWork(id: WorkId, asking: Asking): Promise<WorkRecord[]> {
  const [kind = '', rest = ''] = splitAtColon(id);
  const name = `${kind === 'arxiv' ? 'ARXIV' : 'DOI'}:${rest}`;
  const { fetched, value } = await askJson(
    'semantic_scholar',
    { path: `/graph/v1/paper/${encodeURIComponent(name)}`, query: { fields: FIELDS }, schema: z.unknown() },
    asking,
  );
  return readOne(value, Item, (item) => toRecord(item, fetched));
}

function splitAtColon(id: string): [string, string] {
  const at = id.indexOf(':');
  return [id.slice(0, at), id.slice(at + 1)];
}

function toRecord(item: z.output<typeof Item>, fetched: Fetched): WorkRecord | undefined {
  const own = semanticScholarId(item.paperId);
  const title = oneLine(item.title);
  if (!own || title === '') return undefined;
  const { DOI, ArXiv, CorpusId } = item.externalIds ?? {};
  const doi = DOI == null ? undefined : doiId(DOI);
  const preprint = ArXiv == null ? undefined : arxivId(ArXiv)?.id;
  const date = item.publicationDate ?? item.year?.toString();
  const kind = kindOf(item, doi, preprint);
  const versions: WorkVersion[] = [];
  if (preprint) versions.push({ id: preprint, kind: 'preprint' });
  if (doi && doi !== preprint) versions.push({ id: doi, kind: kind === 'preprint' ? 'other' : kind, date });
  const corpus: WorkId[] = CorpusId == null ? [] : [`corpus:${CorpusId}`];
  return {
    source: 'semantic_scholar',
    ids: [...new Set([own, ...corpus, ...versions.map(({ id }) => id)])],
    kind,
    title,
    authors: (item.authors ?? []).flatMap(({ name }) => name ?? []),
    date,
    venue: item.venue ? item.venue : undefined,
    abstract: item.abstract ?? undefined,
    url: item.url ?? `https://www.semanticscholar.org/paper/${item.paperId}`,
    citations: item.citationCount ?? undefined,
    versions,
    origin: originOf(fetched),
  };
}

function kindOf(
  { publicationTypes }: z.output<typeof Item>,
  doi: WorkId | undefined,
  preprint: WorkId | undefined,
): WorkKind {
  const types = publicationTypes ?? [];
  if (types.includes('JournalArticle') || types.includes('Conference') || types.includes('Review')) {
    return doi === undefined && preprint !== undefined ? 'preprint' : 'article';
  }
  if (types.includes('Book')) return 'book';
  if (types.includes('BookSection')) return 'chapter';
  if (types.includes('Dataset')) return 'dataset';
  return preprint !== undefined && (doi === undefined || doi === preprint) ? 'preprint' : 'other';
}
