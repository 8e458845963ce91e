import { type Fetched, isToolError, type SourceName, ToolError } from '@nexus/plugin-sdk';
import type { WorkRecord } from '../identity/record.ts';
import { searchArxiv } from './arxiv.ts';
import type { Asking, Page, Search, SearchPage } from './asking.ts';
import { searchCrossref } from './crossref.ts';
import { searchGitHub } from './github.ts';
import { searchOpenAlex } from './openalex.ts';
import { searchSemanticScholar } from './semantic-scholar.ts';

const searches: Readonly<Record<SourceName, SearchPage>> = {
  arxiv: searchArxiv,
  crossref: searchCrossref,
  openalex: searchOpenAlex,
  semantic_scholar: searchSemanticScholar,
  github: searchGitHub,
};

/** What a source may still be asked. */
export type SourceLeft = {
  /** Requests that it says are left. */
  readonly requests?: number;
  readonly nextInMs: number;
};

export type AnsweredSource = {
  readonly source: SourceName;
  readonly found: number;
  /** As it counts them. */
  readonly total?: number;
  /** It gave its search up before it had seen all. */
  readonly isIncomplete?: true;
  /** Entries in a form that is not known. */
  readonly unreadable?: number;
  /** When it said so; the oldest page's. */
  readonly asOf: string;
  /** It could not be asked, for this reason, and this is what it said at `asOf`. */
  readonly staleBecause?: string;
  readonly hasKey: boolean;
  readonly left: SourceLeft;
  /** What to know of how it was asked. */
  readonly note?: string;
};

export type FailedSource = {
  readonly source: SourceName;
  readonly reason: 'rate_limited' | 'turned_off' | 'unavailable';
  readonly message: string;
  /** When it may be asked again, where that is known. */
  readonly againAt?: string;
  /** What it gave before it failed is among the items. */
  readonly found: number;
  readonly hasKey: boolean;
};

/** What one source came to: records by their rank, and how it went. */
export interface Searched {
  readonly records: readonly WorkRecord[];
  readonly answered?: AnsweredSource;
  readonly failed?: FailedSource;
}

/** Asks sources side by side, each page by page as far as its caller wants. What one fails of is told by that one. */
export async function searchSources(
  names: readonly SourceName[],
  search: Search,
  asking: Asking,
): Promise<Searched[]> {
  return Promise.all(names.map((name) => searchOne(name, search, asking)));
}

async function searchOne(source: SourceName, search: Search, asking: Asking): Promise<Searched> {
  const pages: Page[] = [];
  const found = () => pages.flatMap(({ records }) => records).slice(0, search.max);
  try {
    let next: string | undefined;
    do {
      const page = await searches[source](search, asking, next);
      pages.push(page);
      next = found().length < search.max ? page.next : undefined;
    } while (next !== undefined);
  } catch (error) {
    asking.signal.throwIfAborted();
    const failed = await failure(source, error, asking);
    return { records: found(), failed: { ...failed, found: found().length } };
  }
  const records = found();
  return { records, answered: await describe(source, pages, { found: records.length, asking }) };
}

async function describe(
  source: SourceName,
  pages: readonly Page[],
  { found, asking }: { readonly found: number; readonly asking: Asking },
): Promise<AnsweredSource> {
  const { remaining, inMs, hasKey } = await asking.fetching.status(source);
  const { total, note } = pages[0] ?? {};
  const unreadable = pages.reduce((sum, page) => sum + page.unreadable, 0);
  const stale = pages.find(({ fetched }) => fetched.staleBecause !== undefined)?.fetched.staleBecause;
  return {
    source,
    found,
    ...(total === undefined ? {} : { total }),
    ...(pages.some(({ isIncomplete }) => isIncomplete) ? { isIncomplete: true } : {}),
    ...(unreadable === 0 ? {} : { unreadable }),
    asOf: new Date(oldest(pages.map(({ fetched }) => fetched))).toISOString(),
    ...(stale === undefined ? {} : { staleBecause: stale }),
    hasKey,
    left: { ...(remaining === undefined ? {} : { requests: remaining }), nextInMs: inMs },
    ...(note === undefined ? {} : { note }),
  };
}

function oldest(all: readonly Fetched[]): number {
  return Math.min(...all.map(({ fetchedAt }) => fetchedAt));
}

/** @throws what is no fault of a source */
export async function failure(
  source: SourceName,
  error: unknown,
  { fetching }: Pick<Asking, 'fetching'>,
): Promise<FailedSource> {
  if (!isToolError(error) || error.code === 'NEXUS_INVALID_ARGUMENTS') throw error;
  const status = await fetching.status(source).catch(() => undefined);
  const told = error.detail?.retryAfterMs;
  const inMs = typeof told === 'number' ? told : status?.inMs;
  const reason =
    error.code === 'NEXUS_RATE_LIMITED'
      ? 'rate_limited'
      : status?.isEnabled === false
        ? 'turned_off'
        : 'unavailable';
  return {
    source,
    reason,
    message: error.message,
    ...(inMs === undefined || inMs === 0 ? {} : { againAt: new Date(Date.now() + inMs).toISOString() }),
    found: 0,
    hasKey: status?.hasKey ?? false,
  };
}

/** @throws {ToolError} where no source answered: an empty answer would say that there is nothing */
export function needOne(searched: readonly Searched[]): void {
  const failed = searched.flatMap((each) => each.failed ?? []);
  if (searched.some(({ answered, records }) => answered || records.length > 0) || failed.length === 0) return;
  const all = failed.map(({ source, message, againAt }) =>
    [`${source}: ${message}`, againAt === undefined ? '' : ` Again from ${againAt}.`].join(''),
  );
  const isLimited = failed.every(({ reason }) => reason === 'rate_limited');
  throw new ToolError(
    isLimited ? 'NEXUS_RATE_LIMITED' : 'NEXUS_UNAVAILABLE',
    `No source could be asked.\n${all.join('\n')}`,
    { detail: { failedSources: failed } },
  );
}
