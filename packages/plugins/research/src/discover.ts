import { type CallContext, type SourceName, sourceNames } from '@nexus/plugin-sdk';
import type { WorkRecord } from './identity/record.ts';
import { standingOf, type Work, worksOf } from './identity/works.ts';
import { sentencesOf } from './ranking/sentences.ts';
import { entriesById } from './registry/find-entry.ts';
import { needOne, searchSources } from './sources/search-sources.ts';
import type { ResearchState } from './state.ts';

export interface DiscoverInput {
  readonly topic: string;
  readonly source: SourceName | 'all';
  readonly maxResults: number;
  readonly sinceDate?: string | undefined;
}

/** Sources differ in how they rank; a work counts more the more of them have it, and the further up. */
const RANK_OFFSET = 60;
const MAX_AUTHORS = 6;
const MAX_SUMMARY = 400;
const DAY_MS = 86_400_000;

/** @throws {ToolError} where no source could be asked */
export async function discover(input: DiscoverInput, context: CallContext<ResearchState>) {
  const { topic, source, maxResults, sinceDate } = input;
  const registry = await context.state.registry(context);
  const { papers, sources } = await registry.read();
  const asking = await context.state.asking(context);
  const names = source === 'all' ? sourceNames : [source];
  const searched = await searchSources(names, { topic, max: maxResults, since: sinceDate }, asking);
  needOne(searched);
  const scores = scoresOf(searched.map(({ records }) => records));
  const works = worksOf(searched.flatMap(({ records }) => records));
  const ranked = works
    .map((work) => ({ work, score: sum(work.records.map((record) => scores.get(record) ?? 0)) }))
    .sort((a, b) => b.score - a.score || (a.work.id < b.work.id ? -1 : 1))
    .map(({ work }) => work);
  const known = entriesById({ papers, sources });
  const shown = ranked.slice(0, maxResults);
  return {
    items: shown.map((work) => describeWork(work)),
    total: works.length,
    sources: searched.flatMap(({ answered }) => (answered ? [withNote(answered)] : [])),
    failedSources: searched.flatMap(({ failed }) => failed ?? []),
    alreadyInRegistry: shown.flatMap((work) => {
      const entry = work.ids.flatMap((id) => known.get(id) ?? [])[0];
      return entry === undefined ? [] : [{ id: work.id, ...entry }];
    }),
  };
}

function scoresOf(lists: readonly (readonly WorkRecord[])[]): Map<WorkRecord, number> {
  return new Map(
    lists.flatMap((records) => records.map((record, at) => [record, 1 / (RANK_OFFSET + at)] as const)),
  );
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
