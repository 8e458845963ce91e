import { z } from 'zod';
import type { GitHub } from '../api/github.ts';
import type { Repository } from './address.ts';

/** What of a repository was fetched. What could not be is undefined, and nothing is said of it. */
export interface RepositoryFacts {
  readonly repo: string;
  readonly about: About;
  /** Bytes by language. */
  readonly languages: Readonly<Record<string, number>>;
  /** Paths of files at the head of the default branch. */
  readonly files: readonly string[];
  /** GitHub left some out: that something is missing can’t be told then. */
  readonly isTreeCut: boolean;
  /** Epoch milliseconds at which the oldest of it was true. */
  readonly fetchedAt: number;
  readonly staleBecause: string | undefined;
}

/** Of `GET /repos/{owner}/{repo}`. */
const About = z.object({
  full_name: z.string(),
  html_url: z.string(),
  description: z.string().nullable(),
  private: z.boolean(),
  archived: z.boolean(),
  fork: z.boolean(),
  default_branch: z.string(),
  stargazers_count: z.number(),
  forks_count: z.number(),
  open_issues_count: z.number(),
  license: z.object({ spdx_id: z.string().nullable() }).nullable(),
  topics: z.array(z.string()).optional(),
  created_at: z.string(),
  pushed_at: z.string().nullable(),
});

export type About = z.output<typeof About>;

const Languages = z.record(z.string(), z.number());

const Tree = z.object({
  truncated: z.boolean(),
  tree: z.array(z.object({ path: z.string(), type: z.string() })),
});

/** @throws {ToolError} what GitHub refuses */
export async function readRepository(github: GitHub, at: Repository): Promise<RepositoryFacts> {
  const about = await github.read(About, 'GET /repos/{owner}/{repo}', { ...at });
  const { default_branch: branch } = about.data;
  const languages = await github.read(Languages, 'GET /repos/{owner}/{repo}/languages', {
    ...at,
  });
  const tree = await treeOf(github, at, branch);
  const told = [about, languages, ...(tree ? [tree] : [])];
  return {
    repo: about.data.full_name,
    about: about.data,
    languages: languages.data,
    files: tree ? tree.data.tree.flatMap(({ path, type }) => (type === 'blob' ? [path] : [])) : [],
    isTreeCut: tree?.data.truncated ?? false,
    fetchedAt: Math.min(...told.map(({ fetchedAt }) => fetchedAt)),
    staleBecause: told.find(({ staleBecause }) => staleBecause !== undefined)?.staleBecause,
  };
}

/** Undefined for a repository without a commit, which has no files. */
function treeOf(github: GitHub, at: Repository, branch: string) {
  return github.readIfThere(Tree, 'GET /repos/{owner}/{repo}/git/trees/{branch}', {
    ...at,
    branch,
    recursive: '1',
  });
}

/** Text of a file at the head; undefined where there is none. */
export async function readText(github: GitHub, at: Repository, path: string): Promise<string | undefined> {
  const told = await github.readIfThere(z.unknown(), 'GET /repos/{owner}/{repo}/contents/{+path}', {
    ...at,
    path: path.split('/').map(encodeURIComponent).join('/'),
    mediaType: { format: 'raw' },
  });
  if (!told) return undefined;
  const { data } = told;
  return typeof data === 'string'
    ? data
    : data instanceof ArrayBuffer
      ? Buffer.from(data).toString('utf8')
      : undefined;
}
