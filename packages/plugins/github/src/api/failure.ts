import { type ErrorCode, isToolError, ToolError } from '@nexus/plugin-sdk';

interface Circumstances {
  readonly signal: AbortSignal;
  readonly baseUrl: string;
  readonly hasKey: boolean;
  /** What the way out of the machine refused, where it did. */
  readonly refused: ToolError | undefined;
}

const TEXT: Readonly<Record<number, { readonly code: ErrorCode; readonly text: string }>> = {
  401: { code: 'NEXUS_CONFIG', text: 'Its token is wrong or has expired: see sources.github.key.' },
  403: { code: 'NEXUS_DENIED', text: 'The token of sources.github.key may not do this.' },
  404: {
    code: 'NEXUS_NOT_FOUND',
    text: 'There is no such repository or issue, or it is private and needs a token that may read it (sources.github.key).',
  },
  410: { code: 'NEXUS_NOT_FOUND', text: 'It was deleted, or the repository has no issues.' },
  409: { code: 'NEXUS_NOT_FOUND', text: 'The repository is empty.' },
  422: { code: 'NEXUS_INVALID_ARGUMENTS', text: 'GitHub could not make sense of the request.' },
  451: { code: 'NEXUS_NOT_FOUND', text: 'It is not available for legal reasons.' },
};

/** What octokit threw, as what the caller can mend. */
export function toToolError(error: unknown, { signal, baseUrl, hasKey, refused }: Circumstances): unknown {
  if (signal.aborted) return signal.reason;
  if (isToolError(error)) return error;
  if (refused) return refused;
  if (!(error instanceof Error)) return error;
  // What octokit wraps is what happened.
  if (isToolError(error.cause)) return error.cause;
  const status = 'status' in error && typeof error.status === 'number' ? error.status : 0;
  const waitMs = limitOf(error);
  const without = hasKey
    ? ''
    : ' It was asked without a token, which allows 60 requests an hour: sources.github.key.';
  if (waitMs !== undefined) {
    const text = `GitHub’s limit is reached; it may be asked again in ${Math.ceil(waitMs / 1_000)} s.${without}`;
    return new ToolError('NEXUS_RATE_LIMITED', text, { detail: { source: 'github', retryAfterMs: waitMs } });
  }
  const known = TEXT[status];
  if (!known) {
    const text = `${new URL(baseUrl).origin} answered ${status}. Is sources.github.baseUrl right?`;
    return new ToolError('NEXUS_UNAVAILABLE', text, { detail: { status } });
  }
  return new ToolError(
    known.code,
    `GitHub answered ${status}. ${known.text}${status === 401 ? '' : without}`,
    {
      detail: { status },
    },
  );
}

/** Milliseconds until a limit is over, where the answer says that one is reached. */
function limitOf(error: Error): number | undefined {
  const { status, response } = error as { status?: number; response?: { headers?: Record<string, string> } };
  if (status !== 403 && status !== 429) return undefined;
  const headers = response?.headers ?? {};
  const after = Number(headers['retry-after']);
  if (after > 0) return after * 1_000;
  if (headers['x-ratelimit-remaining'] === '0') {
    return Math.max(1_000, Number(headers['x-ratelimit-reset']) * 1_000 - Date.now());
  }
  return status === 429 || /secondary rate/i.test(error.message) ? 60_000 : undefined;
}
