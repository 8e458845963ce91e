import { type ErrorCode, type Fetched, type Fetching, ToolError } from '@nexus/plugin-sdk';
import { z } from 'zod';

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

/** Of a pull request, as far as it is read. */
const Pull = z.object({
  title: z.string(),
  body: z.string().nullish(),
  head: z.object({ sha: z.string() }),
});
const Posted = z.object({ html_url: z.string() });

/**
 * Pull requests, through the one way out of the machine.
 * @throws {ToolError} what GitHub refuses, with the fix
 */
export function openGitHub(fetching: Fetching, signal: AbortSignal): GitHub {
  async function ask(
    pr: PullRequest,
    {
      below = '',
      ...request
    }: {
      readonly below?: string;
      readonly accept: string;
      readonly method?: 'POST';
      readonly body?: string;
    },
  ): Promise<Fetched> {
    const fetched = await fetching.source('github', {
      path: `repos/${pr.repo}/pulls/${pr.number}${below}`,
      ...request,
      // Neither a status nor what was kept before the last push is an answer to go on with.
      ...{ isRaw: true, maxAgeMs: 0, signal },
    });
    if (fetched.staleBecause !== undefined) throw new ToolError('NEXUS_UNAVAILABLE', fetched.staleBecause);
    if (fetched.status < 200 || fetched.status >= 300) throw await refusal(fetching, pr, fetched);
    return fetched;
  }
  return {
    async read(pr) {
      const told = readAs(Pull, pr, await ask(pr, { accept: 'application/vnd.github+json' }));
      const diff = await ask(pr, { accept: 'application/vnd.github.diff' });
      const { title, body, head } = told;
      return { title, description: body ?? '', headSha: head.sha, diff: textOf(diff) };
    },
    async comment(pr, { headSha, body, comments }) {
      const review = {
        commit_id: headSha,
        // A review that approves or blocks is a person's.
        event: 'COMMENT',
        body,
        comments: comments.map(({ startLine, ...comment }) => ({
          ...comment,
          ...(startLine === undefined ? {} : { start_line: startLine, start_side: comment.side }),
        })),
      };
      const posted = await ask(pr, {
        ...{ below: '/reviews', method: 'POST', accept: 'application/vnd.github+json' },
        body: JSON.stringify(review),
      });
      return readAs(Posted, pr, posted).html_url;
    },
  };
}

const textOf = ({ body }: Fetched) => new TextDecoder().decode(body);

function readAs<Told>(shape: z.ZodType<Told>, { repo, number }: PullRequest, fetched: Fetched): Told {
  try {
    return shape.parse(JSON.parse(textOf(fetched)));
  } catch {
    const text = `What answers at ${new URL(fetched.url).origin} for ${repo}#${number} is not GitHub’s API. Is sources.github.baseUrl in the config right, and does no proxy or login page stand before it?`;
    throw new ToolError('NEXUS_UNAVAILABLE', text, { detail: { repo, number } });
  }
}

const REFUSALS: Readonly<Record<number, { readonly code: ErrorCode; readonly fix: string }>> = {
  401: { code: 'NEXUS_CONFIG', fix: 'Its token is wrong or has expired: see sources.github.key.' },
  403: { code: 'NEXUS_CONFIG', fix: 'The token of sources.github.key may not do this.' },
  404: {
    code: 'NEXUS_NOT_FOUND',
    fix: 'There is no such pull request, or it needs a token that may read it (sources.github.key).',
  },
  406: { code: 'NEXUS_INVALID_ARGUMENTS', fix: 'GitHub gives no diff as large as this: give it as prDiff.' },
  422: { code: 'NEXUS_CONFLICT', fix: 'The pull request has moved on: review it again.' },
};

const Refused = z.object({ message: z.string() });

async function refusal(
  fetching: Fetching,
  { repo, number }: PullRequest,
  fetched: Fetched,
): Promise<ToolError> {
  const { status } = fetched;
  const { hasKey, inMs } = await fetching.status('github');
  const without = hasKey ? '' : ' It was asked without a token.';
  if ((status === 403 || status === 429) && inMs > 0) {
    const text = `GitHub’s limit is reached; it may be asked for ${repo}#${number} again in ${Math.ceil(inMs / 1_000)} s.${without}`;
    return new ToolError('NEXUS_RATE_LIMITED', text, { detail: { source: 'github', retryAfterMs: inMs } });
  }
  const { code, fix } = REFUSALS[status] ?? {
    code: 'NEXUS_UNAVAILABLE' as const,
    fix: 'Is sources.github.baseUrl right?',
  };
  const text = `GitHub refused ${repo}#${number} (${status}: ${wordsOf(fetched)}).${without} ${fix}`;
  return new ToolError(code, text, { detail: { repo, number, status } });
}

function wordsOf(fetched: Fetched): string {
  try {
    return Refused.parse(JSON.parse(textOf(fetched))).message.slice(0, 300);
  } catch {
    return 'no word why';
  }
}
