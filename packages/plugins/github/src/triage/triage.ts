import { type CallContext, fence, isToolError, matchesName, ToolError } from '@nexus/plugin-sdk';
import { z } from 'zod';
import { type GitHub, openGitHub } from '../api/github.ts';
import { fitAnswer } from '../fit-answer.ts';
import { type Issue, issueAt } from '../repository/address.ts';
import type { GitHubState } from '../state.ts';
import { readAuthor } from './author.ts';
import { categorize } from './category.ts';
import { commentFor, MARK } from './comment.ts';
import { findDuplicates } from './duplicates.ts';
import { suspiciousSigns } from './suspicious.ts';

/** Of `GET /repos/{owner}/{repo}/issues/{issue_number}`. */
const ToldIssue = z.object({
  title: z.string(),
  body: z.string().nullable(),
  state: z.string(),
  html_url: z.string(),
  user: z.object({ login: z.string(), type: z.string().optional() }).nullable(),
  author_association: z.string(),
  labels: z.array(z.union([z.string(), z.object({ name: z.string().optional() })])),
  created_at: z.string(),
  comments: z.number(),
  pull_request: z.unknown().optional(),
});

export type ToldIssue = z.output<typeof ToldIssue>;

const Label = z.object({ name: z.string() });
const Comment = z.object({
  body: z.string().nullish(),
  html_url: z.string(),
  user: z.object({ id: z.int() }).nullish(),
});
const Self = z.object({ id: z.int() });

const CHARS_PER_TOKEN = 3.5;
const LABEL_PAGES = 3;
/** A text that would be shorter is left out but for the count of its characters. */
const LEAST_CHARS = 40;

export async function triage(
  {
    issueUrl,
    dryRun,
    maxTokens,
  }: { readonly issueUrl: string; readonly dryRun: boolean; readonly maxTokens: number },
  context: CallContext<GitHubState>,
) {
  const { baseUrl, hasKey } = await context.host.fetching.status('github');
  const at = issueAt(issueUrl, baseUrl);
  if (!dryRun) assertMayWrite(at, context.state, hasKey);
  // An issue does not say whether its repository is private; with a token it may be.
  if (hasKey) context.label({ privacy: 'private' });
  const github = await openGitHub(context);
  const where = { owner: at.owner, repo: at.repo, issue_number: at.number };
  const { data: issue, fetchedAt } = await github.read(
    ToldIssue,
    'GET /repos/{owner}/{repo}/issues/{issue_number}',
    where,
  );
  if (issue.pull_request) {
    throw new ToolError('NEXUS_INVALID_ARGUMENTS', `${issueUrl} is a pull request: pr_review reads those.`);
  }
  const body = issue.body ?? '';
  const own = issue.labels.flatMap((each) => (typeof each === 'string' ? each : (each.name ?? [])));
  const category = categorize({ title: issue.title, body, labels: own });
  const suspicious = suspiciousSigns(`${issue.title}\n${body}`);
  const notFetched: string[] = [];
  const optional = async <T>(what: string, reading: Promise<T>, without: T): Promise<T> => {
    try {
      return await reading;
    } catch (error) {
      if (!isToolError(error) || context.signal.aborted) throw error;
      notFetched.push(`${what}: ${error.message}`);
      return without;
    }
  };
  const author = await optional('author', readAuthor(github, issue, Date.now()), {
    trust: 'unknown',
    association: issue.author_association,
    because: 'nothing of the account could be fetched',
  });
  const { duplicates, missing } = await optional('duplicates', findDuplicates(github, at, issue.title), {
    duplicates: [],
  });
  if (missing !== undefined) notFetched.push(`duplicates: ${missing}`);
  const known = await optional('labels of the repository', labelsOf(github, at), []);
  const labels = known.filter((label) => category.labels?.test(label) && !own.includes(label)).slice(0, 2);
  const proposed = {
    labels,
    comment: issue.state === 'open' ? commentFor({ category: category.name, body, duplicates }) : null,
  };
  const written = dryRun ? undefined : await write(github, at, proposed);
  const answer = (textChars: number) =>
    fitAnswer(
      {
        issue: {
          repo: `${at.owner}/${at.repo}`,
          number: at.number,
          url: issue.html_url,
          state: issue.state,
          createdAt: issue.created_at,
          comments: issue.comments,
          labels: own,
          fetchedAt: new Date(fetchedAt).toISOString(),
        },
        category: { name: category.name, share: category.share, because: category.because },
        author,
        suspicious,
        duplicates,
        proposed,
        ...(written ? { written } : {}),
        text: fence('the issue’s text', quoted(issue, textChars)),
        notFetched,
      },
      maxTokens,
      ['suspicious', 'notFetched'],
    );
  // The text makes room for what warns of it.
  let textChars = (maxTokens / 2) * CHARS_PER_TOKEN;
  let fitted = answer(textChars);
  while (textChars > 0 && JSON.stringify(fitted).length > maxTokens * CHARS_PER_TOKEN) {
    textChars = textChars > LEAST_CHARS ? Math.floor(textChars / 2) : 0;
    fitted = answer(textChars);
  }
  return fitted;
}

function quoted({ title, body }: ToldIssue, maxChars: number): string {
  const whole = `${title}\n\n${body ?? ''}`;
  return whole.length <= maxChars
    ? whole
    : `${whole.slice(0, maxChars)}\n[${Math.ceil(whole.length - maxChars)} more characters]`;
}

/** @throws {ToolError} NEXUS_DENIED, NEXUS_CONFIG */
function assertMayWrite({ owner, repo }: Issue, { options }: GitHubState, hasKey: boolean): void {
  const name = `${owner}/${repo}`.toLowerCase();
  if (!options.writeTo.some((pattern) => matchesName(pattern.toLowerCase(), name))) {
    const text = `${owner}/${repo} is not among github.writeTo in the config, so nothing is written there. With dryRun true the answer proposes what would be.`;
    throw new ToolError('NEXUS_DENIED', text);
  }
  if (!hasKey) {
    throw new ToolError(
      'NEXUS_CONFIG',
      'To write to GitHub takes a token: sources.github.key in the config.',
    );
  }
}

async function labelsOf(github: GitHub, { owner, repo }: Issue): Promise<string[]> {
  const { items } = await github.readPages(
    Label,
    'GET /repos/{owner}/{repo}/labels',
    { owner, repo },
    LABEL_PAGES,
  );
  return items.map(({ name }) => name);
}

type Written = {
  labels: readonly string[];
  commentUrl: string | null;
  /** What was not written, and why; the rest was. */
  failed?: string;
};

/** A comment of its own that stands there already is not written twice. */
async function write(
  github: GitHub,
  { owner, repo, number }: Issue,
  { labels, comment }: { readonly labels: readonly string[]; readonly comment: string | null },
): Promise<Written> {
  const at = { owner, repo, issue_number: number };
  const written: Written = { labels: [], commentUrl: null };
  try {
    if (labels.length > 0) {
      await github.write(z.unknown(), 'POST /repos/{owner}/{repo}/issues/{issue_number}/labels', {
        ...at,
        labels,
      });
      written.labels = labels;
    }
    if (comment === null) return written;
    const route = '/repos/{owner}/{repo}/issues/{issue_number}/comments';
    const { items } = await github.readPages(Comment, `GET ${route}`, at, 10);
    const found = await ownAmong(github, items);
    const told = found ?? (await github.write(Comment, `POST ${route}`, { ...at, body: comment }));
    written.commentUrl = told.html_url;
    return written;
  } catch (error) {
    if (!isToolError(error) || written.labels.length === 0) throw error;
    return { ...written, failed: error.message };
  }
}

/** By its mark and by who wrote it: anybody can write the mark. */
async function ownAmong(
  github: GitHub,
  comments: readonly z.output<typeof Comment>[],
): Promise<z.output<typeof Comment> | undefined> {
  const marked = comments.filter(({ body }) => body?.includes(MARK));
  if (marked.length === 0) return undefined;
  const self = await readSelf(github);
  return marked.find(({ user }) => self !== undefined && user?.id === self);
}

/** Whose the token is. GitHub does not say it of a token of an app. */
async function readSelf(github: GitHub): Promise<number | undefined> {
  try {
    return (await github.readIfThere(Self, 'GET /user', {}))?.data.id;
  } catch (error) {
    if (isToolError(error) && error.code === 'NEXUS_DENIED') return undefined;
    throw error;
  }
}
