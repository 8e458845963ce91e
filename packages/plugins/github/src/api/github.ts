import type { CallContext } from '@nexus/plugin-sdk';
import { Octokit } from '@octokit/core';
import { paginateRest } from '@octokit/plugin-paginate-rest';
import { retry } from '@octokit/plugin-retry';
import { throttling } from '@octokit/plugin-throttling';
import { toToolError } from './failure.ts';
import { routedFetch } from './routed-fetch.ts';

const Client = Octokit.plugin(paginateRest, retry, throttling);

/** A limit that is over sooner is waited for; of a longer one the caller is told. */
const PATIENCE_S = 10;
const READ_RETRIES = 2;

type Parameters = Readonly<Record<string, unknown>>;

/** What GitHub says of one thing, and when it said so. */
export interface Told<Data> {
  readonly data: Data;
  readonly fetchedAt: number;
  /** GitHub could not be asked, for this reason: it is what it said at `fetchedAt`. */
  readonly staleBecause: string | undefined;
}

/** GitHub's API, asked through the one way out of the machine. */
export interface GitHub {
  /** @throws {ToolError} */
  read<Data>(route: string, parameters: Parameters): Promise<Told<Data>>;
  /** As `read`; undefined where GitHub says that there is no such thing, or none that may be seen. */
  readIfThere<Data>(route: string, parameters: Parameters): Promise<Told<Data> | undefined>;
  /** Pages by their links, up to `maxPages`; `isCut` where there were more. */
  readPages<Item>(
    route: string,
    parameters: Parameters,
    maxPages: number,
  ): Promise<{ readonly items: Item[]; readonly isCut: boolean }>;
  /**
   * Sent once: what became of one that got no answer is not known.
   * @throws {ToolError}
   */
  write<Data>(route: string, parameters: Parameters): Promise<Data>;
}

export async function openGitHub({
  host,
  signal,
  progress,
  log,
}: Pick<CallContext, 'host' | 'signal' | 'progress' | 'log'>): Promise<GitHub> {
  const { baseUrl, hasKey } = await host.fetching.status('github');
  const route = routedFetch(host.fetching, { baseUrl, signal, progress });
  const client = new Client({
    baseUrl: baseUrl.endsWith('/') ? baseUrl.slice(0, -1) : baseUrl,
    request: { fetch: route.fetch, signal },
    retry: { doNotRetry: [400, 401, 403, 404, 409, 410, 422, 429, 451], retries: READ_RETRIES },
    throttle: {
      onRateLimit: (afterS: number, _request: object, _client: object, times: number) =>
        times === 0 && afterS <= PATIENCE_S,
      onSecondaryRateLimit: (afterS: number, _request: object, _client: object, times: number) =>
        times === 0 && afterS <= PATIENCE_S,
    },
    log: {
      debug() {},
      info() {},
      warn: (text: string) => log.debug(text),
      error: (text: string) => log.debug(text),
    },
  });
  const failure = (error: unknown) =>
    toToolError(error, { signal, baseUrl, hasKey, refused: route.refusal() });

  async function read<Data>(route: string, parameters: Parameters): Promise<Told<Data>> {
    try {
      const { data, headers } = await client.request(route, parameters);
      return {
        data: data as Data, // of the route, as GitHub documents it; read with care by who asked
        fetchedAt: Number(headers['x-nexus-fetched-at']),
        staleBecause: headers['x-nexus-stale'] as string | undefined,
      };
    } catch (error) {
      throw failure(error);
    }
  }

  return {
    read,
    async readIfThere<Data>(route: string, parameters: Parameters) {
      try {
        return await read<Data>(route, parameters);
      } catch (error) {
        if (isGone(error)) return undefined;
        throw error;
      }
    },
    async readPages<Item>(route: string, parameters: Parameters, maxPages: number) {
      const items: Item[] = [];
      try {
        let pages = 0;
        for await (const { data } of client.paginate.iterator(route, { per_page: 100, ...parameters })) {
          if (pages === maxPages) return { items, isCut: true };
          pages += 1;
          items.push(...(data as Item[]));
        }
        return { items, isCut: false };
      } catch (error) {
        throw failure(error);
      }
    },
    async write<Data>(route: string, parameters: Parameters) {
      try {
        const { data } = await client.request(route, {
          ...parameters,
          request: { signal, retries: 0 },
        });
        return data as Data;
      } catch (error) {
        throw failure(error);
      }
    },
  };
}

function isGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'NEXUS_NOT_FOUND';
}
