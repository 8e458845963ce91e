import type { Fetched } from '@nexus/plugin-sdk';
import { z } from 'zod';
import { arxivId, doiId, openalexId, type WorkId } from '../identity/ids.ts';
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

const Location = z.object({
  landing_page_url: z.string().nullish(),
  version: z.string().nullish(),
  source: z.object({ display_name: z.string().nullish(), type: z.string().nullish() }).nullish(),
});

const Item = z.object({
  id: z.string(),
  doi: z.string().nullish(),
  title: z.string(),
  publication_date: z.string().nullish(),
  type: z.string().nullish(),
  is_retracted: z.boolean().nullish(),
  cited_by_count: z.number().nullish(),
  authorships: z.array(z.object({ author: z.object({ display_name: z.string().nullish() }) })).default([]),
  primary_location: Location.nullish(),
  locations: z.array(Location).nullish(),
  abstract_inverted_index: z.record(z.string(), z.array(z.number().int().min(0).max(100_000))).nullish(),
});

const List = z.object({
  results: z.array(z.unknown()),
  meta: z.object({ count: z.number().nullish(), next_cursor: z.string().nullish() }),
});

const KINDS: Readonly<Record<string, WorkKind>> = {
  article: 'article',
  review: 'article',
  letter: 'article',
  preprint: 'preprint',
  book: 'book',
  'book-chapter': 'chapter',
  dissertation: 'thesis',
  dataset: 'dataset',
  erratum: 'notice',
  retraction: 'notice',
};

const SELECT = [
  'id',
  'doi',
  'title',
  'publication_date',
  'type',
  'is_retracted',
  'cited_by_count',
  'authorships',
  'primary_location',
  'locations',
  'abstract_inverted_index',
].join(',');

export const searchOpenAlex: SearchPage = async ({ topic, max, since }, asking, next) => {
  const { fetched, value } = await askJson(
    'openalex',
    {
      path: '/works',
      query: {
        search: topic,
        'per-page': String(Math.min(PAGE, max)),
        cursor: next ?? '*',
        select: SELECT,
        ...(since === undefined ? {} : { filter: `from_publication_date:${since}` }),
      },
      schema: List,
    },
    asking,
  );
  return {
    ...readEach(value.results, Item, (item) => toRecord(item, fetched)),
    total: value.meta.count ?? undefined,
    fetched,
    next: value.results.length === 0 ? undefined : (value.meta.next_cursor ?? undefined),
  };
};

/** One work by a DOI or an id of arXiv; costs nothing of a day's budget. @throws {ToolError} as `ask` */
export async function openalexWork(id: WorkId, asking: Asking): Promise<WorkRecord[]> {
  const doi = id.startsWith('arxiv:')
    ? `10.48550/arxiv.${id.slice('arxiv:'.length)}`
    : id.slice('doi:'.length);
  const path = `/works/doi:${encodeURIComponent(doi)}`;
  const { fetched, value } = await askJson(
    'openalex',
    { path, query: { select: SELECT }, schema: z.unknown() },
    asking,
  );
  return readOne(value, Item, (item) => toRecord(item, fetched));
}

function toRecord(item: z.output<typeof Item>, fetched: Fetched): WorkRecord | undefined {
  const own = openalexId(item.id);
  const title = oneLine(item.title);
  if (!own || title === '') return undefined;
  const kind = KINDS[item.type ?? ''] ?? 'other';
  const date = item.publication_date ?? undefined;
  const doi = item.doi == null ? undefined : doiId(item.doi);
  const locations = [...(item.primary_location ? [item.primary_location] : []), ...(item.locations ?? [])];
  const places = locations.flatMap(({ landing_page_url: url }): WorkVersion[] => {
    const onArxiv = url == null ? undefined : arxivId(url);
    return onArxiv ? [{ id: onArxiv.id, kind: 'preprint', number: onArxiv.version }] : [];
  });
  const versions: WorkVersion[] = [
    ...(doi === undefined
      ? []
      : [{ id: doi, kind: doi.startsWith('arxiv:') ? 'preprint' : kind, date } as const]),
    ...places.filter(({ id }, at) => id !== doi && places.findIndex((each) => each.id === id) === at),
  ];
  return {
    source: 'openalex',
    ids: [...new Set([own, ...versions.map(({ id }) => id)])],
    kind,
    title,
    authors: item.authorships.flatMap(({ author }) => author.display_name ?? []),
    date,
    venue: item.primary_location?.source?.display_name ?? undefined,
    abstract: item.abstract_inverted_index ? putTogether(item.abstract_inverted_index) : undefined,
    url: item.doi ?? item.id,
    citations: item.cited_by_count ?? undefined,
    versions,
    ...(item.is_retracted == null ? {} : { standing: item.is_retracted ? 'retracted' : 'none_known' }),
    origin: originOf(fetched),
  };
}

/** An abstract is told as where each of its words stands. */
function putTogether(places: Readonly<Record<string, readonly number[]>>): string {
  const words: string[] = [];
  for (const [word, at] of Object.entries(places)) for (const place of at) words[place] = word;
  return words.filter((word) => word !== undefined).join(' ');
}
