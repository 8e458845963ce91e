import { type Asking, PAGE } from './sources/asking.ts';
import {
  assertNotGivenUp,
  MOST,
  Repository,
  type RepositorySearch,
  searchRepositories,
} from './sources/github.ts';
import { noteOnWords } from './sources/words-to-ask.ts';

export interface SurveyInput {
  readonly query: string;
  readonly maxResults: number;
  readonly offset: number;
  readonly minStars: number;
  readonly language?: string | undefined;
}

/** @throws {ToolError} where GitHub could not be asked, or did not finish its search */
export async function surveyRepositories(
  { query, maxResults, offset, minStars, language }: SurveyInput,
  asking: Asking,
) {
  const qualifiers = [
    ...(minStars > 0 ? [`stars:>=${minStars}`] : []),
    ...(language === undefined ? [] : [`language:"${language}"`]),
  ];
  const search = { topic: query, qualifiers };
  const { fetched, total, isIncomplete, items } = await part(search, { maxResults, offset }, asking);
  assertNotGivenUp({ incomplete_results: isIncomplete, items });
  const read = items.map((item) => Repository.safeParse(item));
  const candidates = read.flatMap(({ success, data }) => (success ? [candidateOf(data)] : []));
  const { remaining, inMs, hasKey } = await asking.fetching.status('github');
  return {
    candidates,
    total,
    source: {
      source: 'github',
      asOf: new Date(fetched.fetchedAt).toISOString(),
      ...(fetched.staleBecause === undefined ? {} : { staleBecause: fetched.staleBecause }),
      ...(isIncomplete ? { isIncomplete: true } : {}),
      ...(candidates.length < read.length ? { unreadable: read.length - candidates.length } : {}),
      hasKey,
      ...noteOn(query, total),
      left: { ...(remaining === undefined ? {} : { requests: remaining }), nextInMs: inMs },
    },
  };
}

/** The repositories from `offset` on: whole pages that any offset shares, of which the last ends where GitHub does. */
async function part(
  search: Omit<RepositorySearch, 'max'>,
  { maxResults, offset }: Pick<SurveyInput, 'maxResults' | 'offset'>,
  asking: Asking,
) {
  const max = offset === 0 ? maxResults : PAGE;
  const first = Math.floor(offset / max);
  const one = await searchRepositories({ ...search, max }, asking, String(first + 1));
  const items = [...one.value.items];
  let isIncomplete = one.value.incomplete_results === true;
  const skipped = offset - first * max;
  if (one.next !== undefined && items.length < skipped + maxResults) {
    const { value } = await searchRepositories({ ...search, max }, asking, one.next);
    items.push(...value.items);
    isIncomplete ||= value.incomplete_results === true;
  }
  return {
    fetched: one.fetched,
    total: one.value.total_count,
    isIncomplete,
    items: items.slice(skipped, skipped + maxResults),
  };
}

/** How it was asked, and where its list ends before its total. */
function noteOn(query: string, total: number): { note?: string } {
  const { note } = noteOnWords(query);
  const end =
    total > MOST ? `GitHub gives the first ${MOST} of them; ask for fewer to see the others` : undefined;
  const notes = [note, end].filter((each) => each !== undefined);
  return notes.length === 0 ? {} : { note: notes.join('; ') };
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
