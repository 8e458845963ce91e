import { type ErrorCode, ToolError } from '@nexus/plugin-sdk';
import type { ConsensusOptions } from '../../options.ts';

/** A pull request on GitHub. */
export interface PullRequest {
  /** `owner/name`. */
  readonly repo: string;
  readonly number: number;
}

export interface ReviewComment {
  readonly path: string;
  readonly line: number;
  readonly startLine?: number;
  readonly side: 'LEFT' | 'RIGHT';
  readonly body: string;
}

export interface GitHub {
  read(pr: PullRequest): Promise<{ title: string; description: string; diff: string; headSha: string }>;
  /** @returns where it can be seen */
  comment(
    pr: PullRequest,
    review: { readonly headSha: string; readonly body: string; readonly comments: readonly ReviewComment[] },
  ): Promise<string>;
}

/** @throws {ToolError} what GitHub refuses, with the fix */
export async function openGitHub(
  { apiUrl, token }: ConsensusOptions['github'],
  signal: AbortSignal,
): Promise<GitHub> {
  const { Octokit } = await import('@octokit/core');
  const octokit = new Octokit({
    baseUrl: apiUrl,
    userAgent: 'nexus',
    ...(token === undefined ? {} : { auth: token }),
    request: { signal },
  });
  const at = ({ repo, number }: PullRequest) => {
    const [owner = '', name = ''] = repo.split('/');
    return { owner, repo: name, pull_number: number };
  };
  const hasToken = token !== undefined;
  return {
    async read(pr) {
      try {
        const route = 'GET /repos/{owner}/{repo}/pulls/{pull_number}';
        const { data } = await octokit.request(route, at(pr));
        const diff = await octokit.request(route, { ...at(pr), mediaType: { format: 'diff' } });
        return {
          title: data.title,
          description: data.body ?? '',
          headSha: data.head.sha,
          diff: String(diff.data), // a text in this media type, whatever the route's own type says
        };
      } catch (error) {
        throw refusal(error, pr, { hasToken, signal });
      }
    },
    async comment(pr, { headSha, body, comments }) {
      try {
        const { data } = await octokit.request('POST /repos/{owner}/{repo}/pulls/{pull_number}/reviews', {
          ...at(pr),
          commit_id: headSha,
          // A review that approves or blocks is a person's.
          event: 'COMMENT',
          body,
          comments: comments.map(({ startLine, ...comment }) => ({
            ...comment,
            ...(startLine === undefined ? {} : { start_line: startLine, start_side: comment.side }),
          })),
        });
        return data.html_url;
      } catch (error) {
        throw refusal(error, pr, { hasToken, signal });
      }
    },
  };
}

const REFUSALS: Readonly<Record<number, { readonly code: ErrorCode; readonly fix: string }>> = {
  401: { code: 'NEXUS_CONFIG', fix: 'Its token is wrong or has expired: see consensus.github.token.' },
  403: {
    code: 'NEXUS_CONFIG',
    fix: 'The token may not do this, or the limit of requests is reached: see consensus.github.token.',
  },
  404: {
    code: 'NEXUS_NOT_FOUND',
    fix: 'There is no such pull request, or it needs a token that may read it (consensus.github.token).',
  },
  406: { code: 'NEXUS_INVALID_ARGUMENTS', fix: 'GitHub gives no diff as large as this: give it as prDiff.' },
  422: { code: 'NEXUS_CONFLICT', fix: 'The pull request has moved on: review it again.' },
};

function refusal(
  error: unknown,
  { repo, number }: PullRequest,
  { hasToken, signal }: { hasToken: boolean; signal: AbortSignal },
): unknown {
  if (signal.aborted) return signal.reason;
  if (!(error instanceof Error)) return error;
  const status = 'status' in error && typeof error.status === 'number' ? error.status : 0;
  const { code, fix } = REFUSALS[status] ?? {
    code: 'NEXUS_UNAVAILABLE' as const,
    fix: 'Is consensus.github.apiUrl right, and does it answer?',
  };
  const without = hasToken ? '' : ' It was asked without a token.';
  const text = `GitHub refused ${repo}#${number} (${status === 0 ? 'no answer' : status}: ${error.message.slice(0, 300)}).${without} ${fix}`;
  return new ToolError(code, text, { detail: { repo, number, status } });
}
