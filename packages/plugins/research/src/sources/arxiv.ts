import { ToolError } from '@nexus/plugin-sdk';
import { type ArxivId, arxivId, doiId, type WorkId } from '../identity/ids.ts';
import type { WorkRecord, WorkVersion } from '../identity/record.ts';
import type { AtomEntry, AtomFeed } from '../markup/read-atom.ts';
import { type Asking, ask, oneLine, originOf, PAGE, type Question, type SearchPage } from './asking.ts';
import { noteOnWords, wordsToAsk } from './words-to-ask.ts';

/** Searches arXiv's API (user's manual, 3.1): newest of what is most relevant, by the page. */
export const searchArxiv: SearchPage = async ({ topic, max, since }, asking, next) => {
  const start = Number(next ?? 0);
  const words = wordsToAsk(topic).map((word) => `all:${word}`);
  const from =
    since === undefined ? [] : [`submittedDate:[${since.replaceAll('-', '')}0000 TO 299912312359]`];
  const count = Math.min(PAGE, max);
  const { fetched, feed } = await askFeed(
    { search_query: [...words, ...from].join(' AND '), start: String(start), max_results: String(count) },
    asking,
  );
  const records = feed.entries.flatMap((entry) => toRecord(entry, originOf(fetched)) ?? []);
  const end = start + feed.entries.length;
  return {
    records,
    unreadable: feed.entries.length - records.length,
    total: feed.total,
    fetched,
    next: feed.entries.length > 0 && end < (feed.total ?? 0) ? String(end) : undefined,
    ...noteOnWords(topic),
  };
};

/**
 * One work by its id, in the version that the id names, or the last.
 * @throws {ToolError} NEXUS_NOT_FOUND; as {@link ask}
 */
export async function arxivWork({ id, version }: ArxivId, asking: Asking): Promise<WorkRecord> {
  const bare = id.slice('arxiv:'.length);
  const { fetched, feed } = await askFeed(
    { id_list: version === undefined ? bare : `${bare}v${version}`, max_results: '1' },
    asking,
  );
  const record = feed.entries.flatMap((entry) => toRecord(entry, originOf(fetched)) ?? [])[0];
  if (record?.ids.includes(id)) return record;
  throw new ToolError(
    'NEXUS_NOT_FOUND',
    `arXiv has no ${bare}${version === undefined ? '' : `v${version}`}.`,
  );
}

async function askFeed(query: Question['query'], asking: Asking) {
  const fetched = await ask(
    'arxiv',
    { path: '/api/query', query: query ?? {}, accept: 'application/atom+xml' },
    asking,
  );
  const feed: AtomFeed = await asking.markup.atom(new TextDecoder().decode(fetched.body), asking.signal);
  // Under load it answers pages that are cut, or empty though it counts results.
  if (!feed.isWhole) throw new ToolError('NEXUS_UNAVAILABLE', 'arxiv answers what is no whole feed.');
  const fault = feed.entries.find(({ id }) => /\/api\/errors/.test(id));
  if (fault) {
    throw new ToolError(
      'NEXUS_UNAVAILABLE',
      `arxiv refuses the question. It says: ${JSON.stringify(oneLine(fault.summary).slice(0, 200))}`,
    );
  }
  return { fetched, feed };
}

function toRecord(entry: AtomEntry, origin: WorkRecord['origin']): WorkRecord | undefined {
  const own = arxivId(entry.id);
  if (!own || entry.title === '') return undefined;
  // The field may have several.
  const articles = entry.doi.split(/\s+/).flatMap((text) => doiId(text) ?? []);
  const ids: WorkId[] = [own.id, ...articles];
  const isWithdrawn = /\b(?:has been|is|was) withdrawn\b/i.test(
    `${entry.comment} ${entry.summary.slice(0, 300)}`,
  );
  const versions: WorkVersion[] = [
    { id: own.id, kind: 'preprint', number: own.version, date: entry.published.slice(0, 10) },
    ...articles.map((id): WorkVersion => ({ id, kind: 'article' })),
  ];
  return {
    source: 'arxiv',
    ids,
    kind: 'preprint',
    title: oneLine(entry.title),
    authors: entry.authors.map(oneLine),
    date: entry.published.slice(0, 10),
    venue: entry.journalRef === '' ? undefined : oneLine(entry.journalRef),
    abstract: entry.summary === '' ? undefined : entry.summary,
    url: `https://arxiv.org/abs/${own.id.slice('arxiv:'.length)}`,
    versions,
    // arXiv tells of its own withdrawals, and of no journal's.
    ...(isWithdrawn ? { standing: 'withdrawn' as const } : {}),
    origin,
  };
}
