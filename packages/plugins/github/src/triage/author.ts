import { z } from 'zod';
import type { GitHub } from '../api/github.ts';
import type { ToldIssue } from './triage.ts';

const Account = z.object({ created_at: z.string(), public_repos: z.number(), followers: z.number() });

const DAY_MS = 86_400_000;
const YOUNG_DAYS = 30;

export type Author = {
  /** `maintainer`, `contributor`, `known`, `new`, `bot`, or `unknown` where nothing says. */
  readonly trust: string;
  /** To the repository, as GitHub says it. */
  readonly association: string;
  readonly because: string;
};

const MAINTAINERS = ['OWNER', 'MEMBER', 'COLLABORATOR'];

/** By what GitHub says of the author’s part in the repository, and of the account; never by the text. */
export async function readAuthor(github: GitHub, issue: ToldIssue, nowMs: number): Promise<Author> {
  const { author_association: association, user } = issue;
  const as = (trust: string, because: string): Author => ({ trust, association, because });
  if (!user) return as('unknown', 'the account is gone');
  if (user.type === 'Bot') return as('bot', 'it is the account of a program');
  if (MAINTAINERS.includes(association)) return as('maintainer', 'may write to the repository or owns it');
  if (association === 'CONTRIBUTOR') return as('contributor', 'has commits in the repository');
  const told = await github.readIfThere(Account, 'GET /users/{username}', { username: user.login });
  if (!told) return as('unknown', 'the account is gone');
  const days = Math.floor((nowMs - Date.parse(told.data.created_at)) / DAY_MS);
  const { public_repos: repositories, followers } = told.data;
  const because = `an account of ${days} days, with ${repositories} public repositories and ${followers} followers, and no part in this one`;
  return as(days < YOUNG_DAYS || repositories + followers === 0 ? 'new' : 'known', because);
}
