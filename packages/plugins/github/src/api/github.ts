import { type CallContext, ToolError } from '@nexus/plugin-sdk';
import { Octokit } from '@octokit/core';
import { paginateRest } from '@octokit/plugin-paginate-rest';
import { retry } from '@octokit/plugin-retry';
import { throttling } from '@octokit/plugin-throttling';
import Bottleneck from 'bottleneck/light.js';
import { z } from 'zod';
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

/**
 * GitHub's API, asked through the one way out of the machine. What answers is held to the form that is read of it: a
 * server that is not GitHub, or another release of it, is told as such.
 */
export interface GitHub {
  /** @throws {ToolError} */
  read<Data>(form: z.ZodType<Data>, route: string, parameters: Parameters): Promise<Told<Data>>;
  /** As `read`; undefined where GitHub says that there is no such thing, or none that may be seen. */
  readIfThere<Data>(
    form: z.ZodType<Data>,
    route: string,
    parameters: Parameters,
  ): Promise<Told<Data> | undefined>;
  /** Pages by their links, up to `maxPages`; `isCut` where there were more. */
  readPages<Item>(
    form: z.ZodType<Item>,
    route: string,
    parameters: Parameters,
    maxPages: number,
  ): Promise<{ readonly items: Item[]; readonly isCut: boolean }>;
  /**
   * Sent once: what became of one that got no answer is not known.
   * @throws {ToolError}
   */
  write<Data>(form: z.ZodType<Data>, route: string, parameters: Parameters): Promise<Data>;
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
      ...ownTurns(),
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

  function inForm<Data>(form: z.ZodType<Data>, route: string, data: unknown): Data {
    const read = form.safeParse(data);
    if (read.success) return read.data;
    const where = read.error.issues[0]?.path.map(String).join('.');
    const text = `${baseUrl} answers ${route} in a form that is not known${where ? ` (at ${where})` : ''}. Is sources.github.baseUrl in the config that of GitHub’s API?`;
    throw new ToolError('NEXUS_UNAVAILABLE', text, { detail: { route } });
  }

  async function read<Data>(
    form: z.ZodType<Data>,
    route: string,
    parameters: Parameters,
  ): Promise<Told<Data>> {
    try {
      const { data, headers } = await client.request(route, parameters);
      return {
        data: inForm(form, route, data),
        fetchedAt: Number(headers['x-nexus-fetched-at']),
        staleBecause: headers['x-nexus-stale'] as string | undefined,
      };
    } catch (error) {
      throw failure(error);
    }
  }

  return {
    read,
    async readIfThere<Data>(form: z.ZodType<Data>, route: string, parameters: Parameters) {
      try {
        return await read(form, route, parameters);
      } catch (error) {
        if (isGone(error)) return undefined;
        throw error;
      }
    },
    async readPages<Item>(form: z.ZodType<Item>, route: string, parameters: Parameters, maxPages: number) {
      const items: Item[] = [];
      try {
        let pages = 0;
        for await (const { data } of client.paginate.iterator(route, { per_page: 100, ...parameters })) {
          if (pages === maxPages) return { items, isCut: true };
          pages += 1;
          items.push(...inForm(z.array(form), route, data));
        }
        return { items, isCut: false };
      } catch (error) {
        throw failure(error);
      }
    },
    async write<Data>(form: z.ZodType<Data>, route: string, parameters: Parameters) {
      try {
        const { data } = await client.request(route, {
          ...parameters,
          request: { signal, retries: 0 },
        });
        return inForm(form, route, data);
      } catch (error) {
        throw failure(error);
      }
    },
  };
}

/**
 * The plug-in’s own limits, of this client alone: its groups are its module’s, and a machine whose clock is set back
 * would have every later call wait. Between calls and processes the way out of the machine keeps turns.
 */
function ownTurns() {
  const group = (maxConcurrent: number, minTime = 0) => new Bottleneck.Group({ maxConcurrent, minTime });
  return {
    global: group(10),
    auth: group(1),
    search: group(1, 2_000),
    write: group(1, 1_000),
    notifications: group(1, 3_000),
  };
}

function isGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'NEXUS_NOT_FOUND';
}
