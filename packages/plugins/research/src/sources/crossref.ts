import type { Fetched } from '@nexus/plugin-sdk';
import { z } from 'zod';
import { doiId, type WorkId } from '../identity/ids.ts';
import type { Standing, WorkKind, WorkRecord, WorkVersion } from '../identity/record.ts';
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

const DateParts = z.object({ 'date-parts': z.array(z.array(z.number().nullable())) });
const Update = z.object({
  DOI: z.string().optional(),
  type: z.string().optional(),
  label: z.string().optional(),
});

/** A work as the REST API tells of it; what is not read here is left out. */
const Item = z.object({
  DOI: z.string(),
  title: z.array(z.string()).default([]),
  author: z
    .array(
      z.object({ given: z.string().optional(), family: z.string().optional(), name: z.string().optional() }),
    )
    .default([]),
  type: z.string().default('other'),
  subtype: z.string().optional(),
  'container-title': z.array(z.string()).default([]),
  issued: DateParts.optional(),
  abstract: z.string().optional(),
  URL: z.string().optional(),
  'is-referenced-by-count': z.number().optional(),
  relation: z.record(z.string(), z.array(z.object({ id: z.string(), 'id-type': z.string() }))).default({}),
  'update-to': z.array(Update).default([]),
  'updated-by': z.array(Update).default([]),
});

const List = z.object({
  message: z.object({
    items: z.array(z.unknown()),
    'total-results': z.number().optional(),
    'next-cursor': z.string().optional(),
  }),
});
const One = z.object({ message: z.unknown() });

const KINDS: Readonly<Record<string, WorkKind>> = {
  'journal-article': 'article',
  'proceedings-article': 'article',
  'posted-content': 'preprint',
  book: 'book',
  monograph: 'book',
  'edited-book': 'book',
  'book-chapter': 'chapter',
  dissertation: 'thesis',
  dataset: 'dataset',
};

/** Relations of the schema by which two DOIs are two forms of one work; others are between works. */
const SAME_WORK: Readonly<Record<string, WorkKind>> = {
  'is-preprint-of': 'article',
  'has-preprint': 'preprint',
  'is-manuscript-of': 'article',
  'has-manuscript': 'preprint',
  'is-version-of': 'other',
  'has-version': 'other',
  'is-same-as': 'other',
  'is-identical-to': 'other',
};

export const searchCrossref: SearchPage = async ({ topic, max, since }, asking, next) => {
  const rows = Math.min(PAGE, max);
  const { fetched, value } = await askJson(
    'crossref',
    {
      path: '/works',
      query: {
        'query.bibliographic': topic,
        rows: String(rows),
        cursor: next ?? '*',
        ...(since === undefined ? {} : { filter: `from-pub-date:${since}` }),
      },
      schema: List,
    },
    asking,
  );
  const { items, 'total-results': total, 'next-cursor': cursor } = value.message;
  return {
    ...readEach(items, Item, (item) => toRecord(item, fetched)),
    total,
    fetched,
    // It gives a cursor after the last page, too.
    next: items.length < rows ? undefined : cursor,
  };
};

/** @throws {ToolError} NEXUS_NOT_FOUND; as `ask` */
export async function crossrefWork(doi: WorkId, asking: Asking): Promise<WorkRecord[]> {
  const path = `/works/${encodeURIComponent(doi.slice('doi:'.length))}`;
  const { fetched, value } = await askJson('crossref', { path, schema: One }, asking);
  return readOne(value.message, Item, (item) => toRecord(item, fetched));
}

function toRecord(item: z.output<typeof Item>, fetched: Fetched): WorkRecord | undefined {
  const id = doiId(item.DOI);
  const title = oneLine(withoutTags(item.title[0] ?? ''));
  if (!id || title === '') return undefined;
  const kind = item['update-to'].length > 0 ? 'notice' : (KINDS[item.type] ?? 'other');
  const date = dateOf(item.issued);
  const others = Object.entries(SAME_WORK).flatMap(([relation, of]) =>
    (item.relation[relation] ?? []).flatMap(({ id: text, 'id-type': type }): WorkVersion[] => {
      const other = type === 'doi' || type === 'arxiv' ? doiId(text) : undefined;
      return other === undefined ? [] : [{ id: other, kind: of }];
    }),
  );
  return {
    source: 'crossref',
    ids: [...new Set([id, ...others.map((other) => other.id)])],
    kind,
    title,
    authors: item.author.flatMap(({ given, family, name }) => {
      const whole = family === undefined ? name : [given, family].filter(Boolean).join(' ');
      return whole === undefined ? [] : [oneLine(whole)];
    }),
    date,
    venue: item['container-title'][0],
    abstract: item.abstract === undefined ? undefined : oneLine(withoutTags(item.abstract)),
    url: item.URL ?? `https://doi.org/${id.slice('doi:'.length)}`,
    citations: item['is-referenced-by-count'],
    versions: [{ id, kind, date }, ...others.filter((other) => other.id !== id)],
    standing: standingOf(item['updated-by'], item.title[0] ?? ''),
    origin: originOf(fetched),
  };
}

/** Publishers and Retraction Watch put notices on a work; some publishers only change its title. */
function standingOf(updates: readonly z.output<typeof Update>[], title: string): Standing {
  const types = updates.map(({ type = '' }) => type.toLowerCase());
  if (types.some((type) => type.includes('retraction')) || /^\W*retracted\b/i.test(title)) return 'retracted';
  if (types.some((type) => type.includes('withdrawal') || type.includes('removal'))) return 'withdrawn';
  return types.some((type) => type.includes('concern')) ? 'concern' : 'none_known';
}

function dateOf(date: z.output<typeof DateParts> | undefined): string | undefined {
  const parts = date?.['date-parts'][0]?.filter((part) => part !== null) ?? [];
  if (parts.length === 0) return undefined;
  return parts.map((part, at) => String(part).padStart(at === 0 ? 4 : 2, '0')).join('-');
}

const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
};

/** JATS and the little HTML of titles as their text; the entities of XML, once. */
function withoutTags(text: string): string {
  return text
    .replace(/<jats:title>[^<]{0,100}<\/jats:title>/g, ' ')
    .replace(/<\/?(?:sub|sup|i|b|em|strong|jats:(?:sub|sup|italic|bold))>/g, '')
    .replace(/<[^<>]{0,500}>/g, ' ')
    .replace(/&(?:(amp|lt|gt|quot|apos|nbsp)|#(\d{1,7})|#x([0-9a-f]{1,6}));/gi, (all, name, decimal, hex) => {
      if (name !== undefined) return NAMED[String(name).toLowerCase()] ?? all;
      const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
      return code <= 0x10ffff ? String.fromCodePoint(code) : all;
    });
}
