import { ToolError } from '@nexus/plugin-sdk';
import { ageDays } from './discover.ts';
import { likeness, weightsOf } from './ranking/vectors.ts';
import type { Entry, Paper } from './registry/entries.ts';
import { idsOf } from './registry/find-entry.ts';
import type { Contents } from './registry/registry.ts';

export interface QueryInput {
  readonly action: 'search' | 'status' | 'overlap' | 'stats';
  readonly query?: string | undefined;
  readonly techniqueId?: string | undefined;
  readonly threshold: number;
  readonly limit: number;
  readonly offset: number;
}

/** @throws {ToolError} NEXUS_INVALID_ARGUMENTS, NEXUS_NOT_FOUND */
export function queryRegistry(input: QueryInput, contents: Contents) {
  switch (input.action) {
    case 'search':
      return search(input, contents);
    case 'overlap':
      return overlap(input, contents);
    case 'status':
      return status(input, contents);
    case 'stats':
      return { stats: statsOf(contents) };
  }
}

interface Listed {
  readonly kind: 'paper' | 'source' | 'technique';
  readonly id: string;
  readonly name: string;
  readonly text: string;
  readonly more: Readonly<Record<string, unknown>>;
}

/** All that can be found, with the words that it is found by. */
function listed({ papers, sources, techniques }: Contents): Listed[] {
  return [
    ...papers.map(
      (paper): Listed => ({
        kind: 'paper',
        id: paper.id,
        name: paper.title,
        text: textOf(paper),
        more: describePaper(paper),
      }),
    ),
    ...sources.map(
      ({ id, name, url, type, tier, topics, tags, verdict, evidence }): Listed => ({
        kind: 'source',
        id,
        name,
        text: [name, ...topics, ...tags, verdict ?? '', ...evidence.map(({ text }) => text)].join(' '),
        more: { url, type, ...(tier === undefined ? {} : { tier }), quotes: evidence.length },
      }),
    ),
    ...techniques.map(
      (technique): Listed => ({
        kind: 'technique',
        id: technique.id,
        name: technique.name,
        text: techniqueText(technique),
        more: { status: technique.status, papers: technique.papers.length },
      }),
    ),
  ];
}

export function textOf({ title, topic, authors, evidence }: Paper): string {
  return [title, title, topic ?? '', ...authors.slice(0, 10), ...evidence.map(({ text }) => text)].join(' ');
}

function techniqueText({ name, description, topic }: Entry<'techniques'>): string {
  return [name, name, topic ?? '', description ?? ''].join(' ');
}

function describePaper({ topic, priority, date, url, retraction, evidence }: Paper) {
  return {
    ...(topic === undefined ? {} : { topic }),
    ...(priority === undefined ? {} : { priority }),
    ...(date === undefined ? {} : { date }),
    ...(url === undefined ? {} : { url }),
    retraction: retraction
      ? {
          status: retraction.status,
          source: retraction.source,
          asOf: retraction.asOf,
          ageDays: ageDays(Date.parse(retraction.asOf)),
        }
      : { status: 'unknown' },
    quotes: evidence.filter(({ kind }) => kind === 'quote').length,
  };
}

function search({ query, limit, offset }: QueryInput, contents: Contents) {
  const entries = listed(contents);
  if (query !== undefined) return ranked(query, { entries, least: 0, limit, offset });
  return { results: entries.slice(offset, offset + limit).map(shown), total: entries.length };
}

function overlap({ query, techniqueId, threshold, limit, offset }: QueryInput, contents: Contents) {
  if ((query === undefined) === (techniqueId === undefined)) {
    throw new ToolError(
      'NEXUS_INVALID_ARGUMENTS',
      'overlap needs a techniqueId or a text in query, and one of them.',
    );
  }
  const technique = techniqueId === undefined ? undefined : find(contents, techniqueId);
  const entries = listed(contents).filter(({ kind, id }) => kind !== 'technique' || id !== techniqueId);
  return ranked(technique ? techniqueText(technique) : (query ?? ''), {
    entries,
    least: threshold,
    limit,
    offset,
  });
}

function ranked(
  query: string,
  {
    entries,
    least,
    limit,
    offset,
  }: Pick<QueryInput, 'limit' | 'offset'> & { readonly entries: readonly Listed[]; readonly least: number },
) {
  const weights = weightsOf(entries.map(({ text }) => text));
  const wanted = weights.of(query);
  const found = entries
    .map((entry) => ({ entry, score: likeness(wanted, weights.of(entry.text)) }))
    .filter(({ score }) => score > 0 && score >= least)
    .sort((a, b) => b.score - a.score || (a.entry.id < b.entry.id ? -1 : 1));
  const results = found.slice(offset, offset + limit).map(({ entry, score }) => ({
    ...shown(entry),
    likeness: Math.round(score * 1_000) / 1_000,
  }));
  return { results, total: found.length };
}

function shown({ kind, id, name, more }: Listed) {
  return { kind, id, name, ...more };
}

function status({ techniqueId, limit, offset }: QueryInput, contents: Contents) {
  const all = techniqueId === undefined ? contents.techniques : [find(contents, techniqueId)];
  const results = all.slice(offset, offset + limit).map((technique) => ({
    id: technique.id,
    name: technique.name,
    status: technique.status,
    ...(technique.priority === undefined ? {} : { priority: technique.priority }),
    ...(technique.topic === undefined ? {} : { topic: technique.topic }),
    ...(technique.updatedAt === undefined ? {} : { updatedAt: technique.updatedAt }),
    papers: technique.papers.map((id) => {
      const paper = contents.papers.find((each) => idsOf(each).includes(id));
      return paper ? { id, title: paper.title, ...describePaper(paper) } : { id, isMissing: true };
    }),
  }));
  return { results, total: all.length };
}

function find({ techniques }: Contents, id: string): Entry<'techniques'> {
  const found = techniques.find((technique) => technique.id === id);
  if (found) return found;
  const known = techniques.map((technique) => technique.id).slice(0, 20);
  const has = known.length === 0 ? 'techniques.yaml has none' : `there are ${known.join(', ')}`;
  throw new ToolError('NEXUS_NOT_FOUND', `There is no technique "${id}"; ${has}.`);
}

function statsOf(contents: Contents) {
  const { papers, sources, techniques, catalog } = contents;
  return {
    papers: papers.length,
    papersByTopic: counts(papers, ({ topic }) => topic ?? '(none)'),
    papersByPriority: counts(papers, ({ priority }) => priority ?? '(none)'),
    retractions: counts(papers, ({ retraction }) => retraction?.status ?? 'unknown'),
    sources: sources.length,
    sourcesByTier: counts(sources, ({ tier }) => (tier === undefined ? '(none)' : String(tier))),
    techniques: techniques.length,
    techniquesByStatus: counts(techniques, (each) => each.status),
    quotes: [...papers, ...sources].reduce(
      (sum, { evidence }) => sum + evidence.filter(({ kind }) => kind === 'quote').length,
      0,
    ),
    pendingInCatalog: catalog.filter((each) => each.status === 'pending').length,
  };
}

export function counts<Item>(items: readonly Item[], by: (item: Item) => string): Record<string, number> {
  const found = new Map<string, number>();
  for (const item of items) found.set(by(item), (found.get(by(item)) ?? 0) + 1);
  return Object.fromEntries([...found].sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1)));
}
