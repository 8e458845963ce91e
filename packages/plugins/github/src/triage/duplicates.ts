import { ToolError } from '@nexus/plugin-sdk';
import { givenUpSearch } from '@nexus/primitives';
import { z } from 'zod';
import type { GitHub } from '../api/github.ts';
import type { Issue } from '../repository/address.ts';

export type Duplicate = {
  readonly number: number;
  readonly title: string;
  readonly state: string;
  readonly url: string;
  /** The share of the words of the two titles that both have. */
  readonly overlap: number;
};

const Found = z.object({
  incomplete_results: z.boolean().nullish(),
  items: z.array(z.object({ number: z.int(), title: z.string(), state: z.string(), html_url: z.string() })),
});

const LEAST_OVERLAP = 0.3;
/** GitHub’s search takes five operators (OR) at most. */
const MAX_WORDS = 6;
const SMALL = new Set([
  'the',
  'a',
  'an',
  'of',
  'to',
  'in',
  'on',
  'and',
  'or',
  'is',
  'it',
  'for',
  'with',
  'when',
  'not',
  'be',
  'are',
  'this',
  'that',
  'from',
  'by',
  'at',
  'as',
  'i',
  'does',
  'do',
]);

/**
 * Issues of the repository that GitHub’s search finds by the words of the title, as near as their titles are.
 * @throws {ToolError} also where GitHub gave the search up before it found any
 */
export async function findDuplicates(
  github: GitHub,
  { owner, repo, number }: Issue,
  title: string,
): Promise<{ readonly duplicates: Duplicate[]; readonly missing?: string }> {
  const words = wordsOf(title);
  if (words.size === 0) return { duplicates: [] };
  const told = await github.read(Found, 'GET /search/issues', {
    q: `repo:${owner}/${repo} is:issue in:title ${[...words].slice(0, MAX_WORDS).join(' OR ')}`,
    per_page: 30,
  });
  const givenUp = givenUpSearch(told.data);
  if (givenUp !== undefined) throw new ToolError('NEXUS_UNAVAILABLE', givenUp);
  const duplicates = told.data.items
    .filter((each) => each.number !== number)
    .map(({ number: found, title: other, state, html_url: url }) => ({
      number: found,
      title: other.slice(0, 200),
      state,
      url,
      overlap: overlapOf(words, wordsOf(other)),
    }))
    .filter(({ overlap }) => overlap >= LEAST_OVERLAP)
    .sort((a, b) => b.overlap - a.overlap || a.number - b.number)
    .slice(0, 5);
  if (told.data.incomplete_results !== true) return { duplicates };
  return { duplicates, missing: 'GitHub gave its search up before it was through; there may be others.' };
}

/** Letters and digits alone: a title can’t add qualifiers or operators to the search. */
function wordsOf(title: string): Set<string> {
  const words = title.toLowerCase().match(/[\p{L}\p{N}]{2,40}/gu) ?? [];
  return new Set(words.filter((word) => !SMALL.has(word)));
}

function overlapOf(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const both = [...a].filter((word) => b.has(word)).length;
  return Math.round((both / new Set([...a, ...b]).size) * 100) / 100;
}
