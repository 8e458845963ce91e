import { type Fetched, ToolError } from '@nexus/plugin-sdk';
import { givenUpSearch } from '@nexus/primitives';
import { z } from 'zod';
import type { WorkRecord } from '../identity/record.ts';
import { type Asking, askJson, oneLine, originOf, PAGE, readEach, type SearchPage } from './asking.ts';
import { noteOnWords, wordsToAsk } from './words-to-ask.ts';

export const Repository = z.object({
  full_name: z.string().regex(/^[\w.-]+\/[\w.-]+$/),
  html_url: z.string(),
  description: z.string().nullish(),
  stargazers_count: z.number(),
  forks_count: z.number().nullish(),
  open_issues_count: z.number().nullish(),
  language: z.string().nullish(),
  license: z.object({ spdx_id: z.string().nullish() }).nullish(),
  created_at: z.string(),
  pushed_at: z.string().nullish(),
  archived: z.boolean().nullish(),
  topics: z.array(z.string()).nullish(),
});

const List = z.object({
  total_count: z.number(),
  incomplete_results: z.boolean().nullish(),
  items: z.array(z.unknown()),
});

/** Its search gives no more than a thousand in all. */
export const MOST = 1_000;

export interface RepositorySearch {
  readonly topic: string;
  readonly max: number;
  /** Of GitHub's own language, such as `stars:>=50`; made here, never a caller's text. */
  readonly qualifiers: readonly string[];
}

/** A page of repositories, by how well they match. */
export async function searchRepositories(
  { topic, max, qualifiers }: RepositorySearch,
  asking: Asking,
  next: string | undefined,
) {
  const page = Number(next ?? 1);
  const rows = Math.min(PAGE, max);
  const { fetched, value } = await askJson(
    'github',
    {
      path: '/search/repositories',
      query: {
        q: [...wordsToAsk(topic), ...qualifiers].join(' '),
        per_page: String(rows),
        page: String(page),
      },
      schema: List,
    },
    asking,
  );
  const isLast = value.items.length < rows || page * rows >= Math.min(MOST, value.total_count);
  return { fetched, value, next: isLast ? undefined : String(page + 1) };
}

/** @throws {ToolError} NEXUS_UNAVAILABLE where GitHub gave its search up before it found anything */
export function assertNotGivenUp(answer: Parameters<typeof givenUpSearch>[0]): void {
  const givenUp = givenUpSearch(answer);
  if (givenUp !== undefined) throw new ToolError('NEXUS_UNAVAILABLE', givenUp);
}

export const searchGitHub: SearchPage = async ({ topic, max, since }, asking, next) => {
  const qualifiers = since === undefined ? [] : [`pushed:>=${since}`];
  const { fetched, value, next: after } = await searchRepositories({ topic, max, qualifiers }, asking, next);
  if (next === undefined) assertNotGivenUp(value);
  return {
    ...readEach(value.items, Repository, (item) => toRecord(item, fetched)),
    total: value.total_count,
    isIncomplete: value.incomplete_results === true,
    fetched,
    next: after,
    ...noteOnWords(topic),
  };
};

function toRecord(item: z.output<typeof Repository>, fetched: Fetched): WorkRecord {
  const id = `github:${item.full_name.toLowerCase()}` as const;
  return {
    source: 'github',
    ids: [id],
    kind: 'repository',
    title: item.full_name,
    authors: [item.full_name.split('/', 1)[0] ?? ''],
    date: (item.pushed_at ?? item.created_at).slice(0, 10),
    abstract: item.description ? oneLine(item.description) : undefined,
    url: item.html_url,
    citations: undefined,
    versions: [{ id, kind: 'repository', date: item.created_at.slice(0, 10) }],
    origin: originOf(fetched),
  };
}
