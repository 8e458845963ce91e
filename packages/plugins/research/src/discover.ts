import { type CallContext, type SourceName, sourceNames } from '@nexus/plugin-sdk';
import type { WorkRecord } from './identity/record.ts';
import { standingOf, type Work, worksOf } from './identity/works.ts';
import { sentencesOf } from './ranking/sentences.ts';
import { entriesById } from './registry/find-entry.ts';
import { needOne, type Searched, searchSources } from './sources/search-sources.ts';
import type { ResearchState } from './state.ts';

export interface DiscoverInput {
  readonly topic: string;
  readonly source: SourceName | 'all';
  readonly maxResults: number;
  readonly offset: number;
  readonly sinceDate?: string | undefined;
}

/** Sources differ in how they rank; a work counts more the more of them have it, and the further up. */
const RANK_OFFSET = 60;
const MAX_AUTHORS = 6;
const MAX_SUMMARY = 400;
const DAY_MS = 86_400_000;

/** @throws {ToolError} where no source could be asked */
export async function discover(input: DiscoverInput, context: CallContext<ResearchState>) {
  const { topic, source, maxResults, offset, sinceDate } = input;
  const registry = await context.state.registry(context);
  const { papers, sources } = await registry.read();
  const asking = await context.state.asking(context);
  const names = source === 'all' ? sourceNames : [source];
  const end = offset + maxResults;
  const asked = async (depth: number) => {
    const searched = await searchSources(names, { topic, max: depth, since: sinceDate }, asking);
    needOne(searched);
    const ranked = rankedWorks(
      searched.map(({ records }) => records),
      maxResults,
    );
    return { searched, ranked, hasMore: searched.some((each) => hasMore(each, depth)) };
  };
  const least = Math.ceil(end / names.length / maxResults) * maxResults;
  let found = await asked(least);
  // Works that several sources have leave fewer than were reckoned with.
  if (found.hasMore && found.ranked.length < end && least < end) found = await asked(end);
  const { searched, ranked } = found;
  const known = entriesById({ papers, sources });
  const shown = ranked.slice(offset, end);
  return {
    items: shown.map((work) => describeWork(work)),
    total: ranked.length,
    ...(shown.length > 0 && (ranked.length > end || found.hasMore)
      ? { nextOffset: offset + shown.length }
      : {}),
    sources: searched.flatMap(({ answered }) => (answered ? [withNote(answered)] : [])),
    failedSources: searched.flatMap(({ failed }) => failed ?? []),
    alreadyInRegistry: shown.flatMap((work) => {
      const entry = work.ids.flatMap((id) => known.get(id) ?? [])[0];
      return entry === undefined ? [] : [{ id: work.id, ...entry }];
    }),
  };
}

/**
 * Works by round and, in each, by score. A round is `size` records of every source; a work is of the first that has it
 * and scores by the records of that: its place is the same however many rounds were asked for, so that a list can be
 * read on.
 */
function rankedWorks(lists: readonly (readonly WorkRecord[])[], size: number): Work[] {
  const ranks = new Map(lists.flatMap((records) => records.map((record, at) => [record, at] as const)));
  return worksOf(lists.flat())
    .map((work) => {
      const at = work.records.map((record) => ranks.get(record) ?? 0);
      const round = Math.min(...at.map((rank) => Math.floor(rank / size)));
      const counted = at.filter((rank) => Math.floor(rank / size) === round);
      return { work, round, score: sum(counted.map((rank) => 1 / (RANK_OFFSET + rank))) };
    })
    .sort((a, b) => a.round - b.round || b.score - a.score || (a.work.id < b.work.id ? -1 : 1))
    .map(({ work }) => work);
}

/** A source that does not count what it has is taken to have more. */
function hasMore({ records, answered }: Searched, depth: number): boolean {
  return answered !== undefined && records.length >= depth && (answered.total ?? Infinity) > depth;
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

function describeWork(work: Work) {
  const { id, ids, records, versions, disputedIds } = work;
  const [first] = records;
  if (!first) throw new Error('a work without a record');
  const { title, authors, url, kind } = first;
  const told = <Key extends 'date' | 'venue' | 'abstract' | 'citations'>(key: Key) =>
    records.find((record) => record[key] !== undefined)?.[key];
  const venue = told('venue');
  const date = told('date');
  const citations = told('citations');
  const abstract = told('abstract');
  return {
    id,
    title,
    authors: authors.slice(0, MAX_AUTHORS),
    ...(authors.length > MAX_AUTHORS ? { authorsInAll: authors.length } : {}),
    ...(date === undefined ? {} : { date }),
    kind,
    ...(venue === undefined ? {} : { venue }),
    url,
    ...(abstract === undefined ? {} : summaryOf(abstract)),
    ...(citations === undefined ? {} : { citations }),
    ids: ids.filter((other) => other !== id),
    ...(versions.length > 1 ? { versions } : {}),
    retraction: retractionOf(records),
    ...(disputedIds.length > 0 ? { disputedIds } : {}),
    foundBy: [...new Set(records.map((record) => record.source))],
  };
}

/** Whole sentences from its beginning. */
function summaryOf(abstract: string): { summary: string; abstractChars?: number } {
  const sentences = sentencesOf(abstract);
  let end = sentences[0]?.end ?? 0;
  for (const sentence of sentences) if (sentence.end <= MAX_SUMMARY) end = sentence.end;
  const summary = abstract.slice(0, end).replace(/\s+/g, ' ').trim();
  return end >= abstract.trimEnd().length ? { summary } : { summary, abstractChars: abstract.length };
}

function retractionOf(records: readonly WorkRecord[]) {
  const known = standingOf(records);
  if (!known) return { status: 'unknown' as const, why: 'no source that tells of retractions had it' };
  return {
    status: known.standing,
    source: known.source,
    asOf: new Date(known.asOf).toISOString(),
    ageDays: ageDays(known.asOf),
  };
}

/** Rounded down. */
export function ageDays(at: number): number {
  return Math.max(0, Math.floor((Date.now() - at) / DAY_MS));
}

const WITHOUT_KEY: Partial<Record<SourceName, string>> = {
  openalex: 'without sources.openalex.key it gives some ten to a hundred searches a day',
  semantic_scholar:
    'without sources.semantic_scholar.key its limits are shared with everybody, and it often refuses',
  github: 'without sources.github.key it gives 10 searches a minute',
};

function withNote<Of extends { source: SourceName; hasKey: boolean; note?: string }>(answered: Of) {
  const notes = [answered.note, answered.hasKey ? undefined : WITHOUT_KEY[answered.source]];
  const note = notes.filter((each) => each !== undefined).join('; ');
  return note === '' ? answered : { ...answered, note };
}
