import { ToolError } from '@nexus/plugin-sdk';
import type { Asking } from './sources/asking.ts';
import { Repository, searchRepositories } from './sources/github.ts';
import { noteOnWords } from './sources/words-to-ask.ts';

export interface SurveyInput {
  readonly query: string;
  readonly maxResults: number;
  readonly minStars: number;
  readonly language?: string | undefined;
}

/** @throws {ToolError} where GitHub could not be asked, or did not finish its search */
export async function surveyRepositories(
  { query, maxResults, minStars, language }: SurveyInput,
  asking: Asking,
) {
  const qualifiers = [
    ...(minStars > 0 ? [`stars:>=${minStars}`] : []),
    ...(language === undefined ? [] : [`language:"${language}"`]),
  ];
  const search = { topic: query, max: maxResults, qualifiers };
  const { fetched, value } = await searchRepositories(search, asking, undefined);
  if (value.incomplete_results === true && value.items.length === 0) {
    throw new ToolError(
      'NEXUS_UNAVAILABLE',
      'GitHub gave its search up before it found anything; call again.',
    );
  }
  const read = value.items.map((item) => Repository.safeParse(item));
  const candidates = read.flatMap(({ success, data }) => (success ? [candidateOf(data)] : []));
  const { remaining, inMs, hasKey } = await asking.fetching.status('github');
  return {
    candidates: candidates.slice(0, maxResults),
    total: value.total_count,
    source: {
      source: 'github',
      asOf: new Date(fetched.fetchedAt).toISOString(),
      ...(fetched.staleBecause === undefined ? {} : { staleBecause: fetched.staleBecause }),
      ...(value.incomplete_results === true ? { isIncomplete: true } : {}),
      ...(candidates.length < read.length ? { unreadable: read.length - candidates.length } : {}),
      hasKey,
      ...noteOnWords(query),
      left: { ...(remaining === undefined ? {} : { requests: remaining }), nextInMs: inMs },
    },
  };
}

function candidateOf(repository: typeof Repository._output) {
  const { description, language, license, pushed_at: pushedAt, topics } = repository;
  return {
    name: repository.full_name,
    url: repository.html_url,
    ...(description ? { description } : {}),
    stars: repository.stargazers_count,
    ...(repository.forks_count == null ? {} : { forks: repository.forks_count }),
    ...(repository.open_issues_count == null ? {} : { openIssues: repository.open_issues_count }),
    ...(language ? { language } : {}),
    license: license?.spdx_id ?? 'none stated',
    ...(pushedAt ? { lastPush: pushedAt.slice(0, 10) } : {}),
    created: repository.created_at.slice(0, 10),
    isArchived: repository.archived === true,
    ...(topics && topics.length > 0 ? { topics } : {}),
  };
}
