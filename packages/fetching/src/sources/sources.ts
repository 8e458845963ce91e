import type { SourceName } from '@nexus/plugin-sdk';
import type { Pace, Said } from '../budgets/budgets.ts';

/** How a source is asked, and what it says of its limits. */
export interface SourceDefinition {
  readonly baseUrl: string;
  readonly pace: Pace;
  /** Answers that mean "slower", beside 429. */
  readonly throttledBy: readonly number[];
  /** What its key and address are sent as. */
  identify(settings: { readonly key?: string | undefined; readonly mailto?: string | undefined }): {
    readonly headers?: Readonly<Record<string, string>>;
    readonly query?: Readonly<Record<string, string>>;
  };
  said(headers: Headers, nowMs: number): Said;
  /** For how long an answer is taken for what the source would say now. */
  readonly freshMs: number;
}

const HOUR_MS = 3_600_000;

/**
 * - arXiv: one request in three seconds over one connection, of all machines together (API terms of use); 406 is
 *   throttling, too. Results change once a day.
 * - Crossref: `x-rate-limit-limit` requests in `x-rate-limit-interval`; a mail address leads to the polite pool.
 * - OpenAlex: a key since February 2026; `x-ratelimit-remaining` says what is left, in dollars on some answers; 403 is
 *   throttling, too.
 * - Semantic Scholar: keyless requests share one pool with the world; one a second with a key.
 * - GitHub: 60 an hour without a token, 5 000 with one; `x-ratelimit-*`, and `retry-after` for secondary limits.
 */
export const sources: Readonly<Record<SourceName, SourceDefinition>> = {
  arxiv: {
    baseUrl: 'https://export.arxiv.org',
    pace: { intervalMs: 3_000, oneForMs: 90_000 },
    throttledBy: [406, 503],
    identify: () => ({}),
    said: () => ({}),
    freshMs: 24 * HOUR_MS,
  },
  crossref: {
    baseUrl: 'https://api.crossref.org',
    pace: { intervalMs: 200 },
    throttledBy: [],
    identify: ({ mailto }) => (mailto === undefined ? {} : { query: { mailto } }),
    said: (headers) => {
      const limit = numberOf(headers.get('x-rate-limit-limit'));
      const seconds = numberOf(headers.get('x-rate-limit-interval')?.replace(/s$/, ''));
      return limit === undefined || seconds === undefined || limit <= 0
        ? {}
        : { pauseMs: Math.min(10_000, (seconds * 1_000) / limit) };
    },
    freshMs: HOUR_MS,
  },
  openalex: {
    baseUrl: 'https://api.openalex.org',
    pace: { intervalMs: 110 },
    throttledBy: [403],
    identify: ({ key, mailto }) => ({
      query: { ...(key === undefined ? {} : { api_key: key }), ...(mailto === undefined ? {} : { mailto }) },
    }),
    said: (headers) => ({
      remaining: countOf(headers.get('x-ratelimit-remaining')),
      resetsInMs: secondsOf(headers.get('x-ratelimit-reset')),
    }),
    freshMs: HOUR_MS,
  },
  semantic_scholar: {
    baseUrl: 'https://api.semanticscholar.org',
    pace: { intervalMs: 1_100 },
    throttledBy: [],
    identify: ({ key }) => (key === undefined ? {} : { headers: { 'x-api-key': key } }),
    said: () => ({}),
    freshMs: HOUR_MS,
  },
  github: {
    baseUrl: 'https://api.github.com',
    pace: { intervalMs: 50 },
    throttledBy: [],
    identify: ({ key }) => ({
      headers: {
        'x-github-api-version': '2022-11-28',
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      },
    }),
    said: (headers, nowMs) => {
      const resetsAt = numberOf(headers.get('x-ratelimit-reset'));
      return {
        remaining: numberOf(headers.get('x-ratelimit-remaining')),
        resetsInMs: resetsAt === undefined ? undefined : Math.max(0, resetsAt * 1_000 - nowMs),
      };
    },
    freshMs: 300_000,
  },
};

function numberOf(text: string | null | undefined): number | undefined {
  const number = text === null || text === undefined || text === '' ? Number.NaN : Number(text);
  return Number.isFinite(number) ? number : undefined;
}

/** Of requests; an amount of money is no count. */
function countOf(text: string | null): number | undefined {
  const number = numberOf(text);
  return Number.isInteger(number) ? number : undefined;
}

function secondsOf(text: string | null): number | undefined {
  const seconds = numberOf(text);
  return seconds === undefined ? undefined : seconds * 1_000;
}
