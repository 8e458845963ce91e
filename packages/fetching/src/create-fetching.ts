import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import {
  type Fetched,
  type Fetching,
  type FetchOptions,
  type SecretUsed,
  type SourceName,
  type Store,
  ToolError,
} from '@nexus/plugin-sdk';
import { signalWithin } from '@nexus/primitives';
import { type Budgets, createBudgets, type Said } from './budgets/budgets.ts';
import { diskCache, type Kept } from './cache/disk-cache.ts';
import { allowing, destinationOf, parseUrl } from './destinations/destination.ts';
import { type Resolve, resolveBySystem } from './destinations/guarded-lookup.ts';
import { guardedAgents } from './requests/guarded-agents.ts';
import { tooLarge } from './requests/read-body.ts';
import { Retryable } from './requests/retryable.ts';
import { type Sent, send } from './requests/send.ts';
import { sources } from './sources/sources.ts';

/** A section `sources.<name>` of the config. */
export interface SourceSettings {
  readonly baseUrl?: string | undefined;
  readonly key?: string | undefined;
  readonly mailto?: string | undefined;
  readonly enabled?: boolean | undefined;
}

export interface FetchingParts {
  readonly store: Store;
  /** Where answers are kept. */
  readonly dataDir: string;
  readonly settings: Readonly<Partial<Record<SourceName, SourceSettings | undefined>>>;
  readonly allowHosts: readonly string[];
  /** Sent with each request, as sources ask for it. */
  readonly userAgent: string;
  /** Hears of each key before it is sent. */
  readonly secretUsed?: SecretUsed | undefined;
  /** In place of the system's. */
  readonly resolve?: Resolve;
  /** One request, with its redirects and body; default 60 s. */
  readonly requestMs?: number;
}

const MAX_BYTES = 10 * 1024 * 1024;
const MAX_CACHE_BYTES = 200 * 1024 * 1024;
const REQUEST_MS = 60_000;
/** How long a call waits for a source's turn, before it says when there is one. */
const PATIENCE_MS = 15_000;
const ATTEMPTS = 3;
const FIRST_BACKOFF_MS = 500;
/** For how long a page is taken for what it would be now. */
const PAGE_FRESH_MS = 300_000;
/** How long a source is left alone that said "slower" and not for how long. */
const THROTTLED_MS = 5_000;

interface Ask {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly freshMs: number;
  /** What tells this answer from another's, without any secret. */
  readonly cacheKey: string;
  readonly source?: SourceName;
  /** Other than GET: sent once, past what is kept. */
  readonly method?: Exclude<Parameters<Fetching['source']>[1]['method'], 'GET'>;
  readonly body?: string;
  /** Any status is the answer, and nothing is asked again. */
  readonly isRaw: boolean;
}

/** Of an answer, those that say what it is, whether it changed, and where more of it is. */
const KEPT_HEADERS = ['content-type', 'etag', 'last-modified', 'link'];
/** Of one that has just come, those that say what the source has left, and where what moved has gone. */
const LIVE_HEADERS = [
  'location',
  'retry-after',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'x-ratelimit-resource',
];

export function createFetching(parts: FetchingParts): Fetching & AsyncDisposable {
  const { settings, userAgent, secretUsed, resolve = resolveBySystem, requestMs = REQUEST_MS } = parts;
  const ownHosts = Object.values(settings).flatMap(({ baseUrl } = {}) =>
    baseUrl !== undefined && URL.canParse(baseUrl) ? [new URL(baseUrl).host] : [],
  );
  const isAllowed = allowing([...parts.allowHosts, ...ownHosts]);
  const agents = guardedAgents(resolve, isAllowed);
  const cache = diskCache(join(parts.dataDir, 'fetching'), MAX_CACHE_BYTES);
  const budgets = createBudgets(parts.store);

  async function answer(ask: Ask, options: FetchOptions): Promise<Fetched> {
    destinationOf(ask.url, isAllowed);
    if (ask.method) return askOnce(ask, undefined, options);
    const kept = await cache.get(ask.cacheKey);
    const { maxBytes = MAX_BYTES, maxAgeMs = ask.freshMs } = options;
    if (kept && kept.body.length > maxBytes) throw tooLarge(ask.url.origin, maxBytes);
    if (kept && Date.now() - kept.fetchedAt < maxAgeMs) return fetchedOf(kept, { isFromCache: true });
    try {
      return await askAgain(ask, kept, options);
    } catch (error) {
      if (!kept || !mayServeStale(error)) throw error;
      return fetchedOf(kept, { isFromCache: true, staleBecause: error.message });
    }
  }

  async function askAgain(ask: Ask, kept: Kept | undefined, options: FetchOptions): Promise<Fetched> {
    const { signal, progress } = options;
    for (let attempt = 1, backoffMs = FIRST_BACKOFF_MS; ; attempt += 1, backoffMs *= 2) {
      try {
        return await askOnce(ask, kept, options);
      } catch (error) {
        const isLast = ask.isRaw || attempt === ATTEMPTS || signal.aborted || !(error instanceof Retryable);
        if (isLast) throw error instanceof Retryable ? error.asToolError : error;
        progress?.(`${error.asToolError.message} Trying again.`);
        await pause(error.afterMs ?? backoffMs * (1 + Math.random()), undefined, { signal });
      }
    }
  }

  async function askOnce(ask: Ask, kept: Kept | undefined, options: FetchOptions): Promise<Fetched> {
    const { signal, accept, maxBytes = MAX_BYTES } = options;
    const turn = ask.source ? await untilTurn(budgets, ask.source, options) : undefined;
    const sendSignal = signalWithin(signal, {
      ms: requestMs,
      reason: () => new Error('the deadline of the request'),
    });
    let said: Said = {};
    let sent: Sent;
    try {
      sent = await send(
        { agents, isAllowed },
        {
          url: ask.url,
          ...(ask.method === undefined ? {} : { method: ask.method }),
          ...(ask.body === undefined ? {} : { body: ask.body }),
          headers: {
            'user-agent': userAgent,
            'accept-encoding': 'gzip, deflate, br',
            ...(accept === undefined ? {} : { accept }),
            ...(ask.body === undefined ? {} : { 'content-type': 'application/json' }),
            ...validators(kept),
            ...ask.headers,
          },
          maxBytes,
          signal: sendSignal,
        },
      );
      said = saidBy(ask, sent);
    } catch (error) {
      if (!signal.aborted && sendSignal.aborted) throw tookTooLong(ask.url, requestMs);
      throw error;
    } finally {
      sendSignal[Symbol.dispose]();
      // An answer that has come is not lost by that: the turn ends by itself.
      if (ask.source && turn !== undefined) await budgets.done(ask.source, turn, said).catch(() => {});
    }
    const { status } = sent;
    if (status === 304 && kept) {
      const again = { ...kept, fetchedAt: Date.now() };
      await keep(ask, again);
      return fetchedOf(again, { isFromCache: true });
    }
    const isThrottled = status === 429 || (ask.source && sources[ask.source].throttledBy.includes(status));
    if (isThrottled && !ask.isRaw) {
      const retryAfterMs = said.pauseMs ?? THROTTLED_MS;
      if (retryAfterMs > PATIENCE_MS) throw throttled(ask, retryAfterMs);
      throw new Retryable(throttled(ask, retryAfterMs), retryAfterMs);
    }
    if (status >= 500 && !ask.isRaw) throw new Retryable(failed(ask.url, status));
    const fetched: Kept = {
      url: sent.url.href,
      status,
      headers: pick(sent.headers, KEPT_HEADERS),
      fetchedAt: Date.now(),
      body: sent.body,
    };
    if (status === 200 && !ask.method) await keep(ask, fetched);
    const headers = { ...fetched.headers, ...pick(sent.headers, LIVE_HEADERS) };
    return fetchedOf({ ...fetched, headers }, { isFromCache: false });
  }

  /** A full disk keeps nobody from an answer. */
  const keep = (ask: Ask, kept: Kept) => cache.put(ask.cacheKey, kept).catch(() => {});

  const baseOf = (name: SourceName) => settings[name]?.baseUrl ?? sources[name].baseUrl;

  return {
    async source(name, { path, query = {}, method = 'GET', body, isRaw = false, ...options }) {
      const { key, mailto, enabled = true } = settings[name] ?? {};
      const definition = sources[name];
      if (!enabled) {
        throw new ToolError(
          'NEXUS_DENIED',
          `${name} is turned off by sources.${name}.enabled in the config.`,
        );
      }
      const url = below(baseOf(name), path);
      for (const [each, value] of Object.entries(query)) url.searchParams.set(each, value);
      const cacheKey = `${name} ${key === undefined ? '' : hashOf(key)} ${options.accept ?? ''} ${url.href}`;
      if (key !== undefined) secretUsed?.({ name: `sources.${name}.key`, by: `source ${name}` });
      const identity = definition.identify({ key, mailto });
      for (const [each, value] of Object.entries(identity.query ?? {})) url.searchParams.set(each, value);
      const ask = {
        url,
        headers: identity.headers ?? {},
        freshMs: definition.freshMs,
        cacheKey,
        source: name,
        isRaw: isRaw || method !== 'GET',
        ...(method === 'GET' ? {} : { method }),
        ...(body === undefined ? {} : { body }),
      };
      return answer(ask, options);
    },
    async url(text, options) {
      const url = pageUrl(text);
      const cacheKey = keyOfPage(url, options.accept);
      return answer({ url, headers: {}, freshMs: PAGE_FRESH_MS, cacheKey, isRaw: false }, options);
    },
    async kept(text) {
      const kept = await cache.get(keyOfPage(pageUrl(text)));
      return kept && fetchedOf(kept, { isFromCache: true });
    },
    async status(name) {
      const { remaining, inMs } = await budgets.left(name);
      const { enabled = true, key } = settings[name] ?? {};
      return {
        source: name,
        baseUrl: baseOf(name),
        hasKey: key !== undefined,
        isEnabled: enabled,
        remaining,
        inMs,
      };
    },
    [Symbol.asyncDispose]: () => agents.close(),
  };
}

function pageUrl(text: string): URL {
  const url = parseUrl(text);
  url.hash = '';
  return url;
}

const keyOfPage = ({ href }: URL, accept = '') => `url ${accept} ${href}`;

/** What a source's path means below its base URL, which may have a path of its own; it leads nowhere else. */
function below(baseUrl: string, path: string): URL {
  const base = parseUrl(baseUrl.endsWith('/') ? baseUrl : `${baseUrl}/`);
  const url = parseUrl(`./${path.replace(/^\/+/, '')}`, base);
  if (url.origin === base.origin && url.pathname.startsWith(base.pathname)) return url;
  throw new ToolError('NEXUS_INVALID_ARGUMENTS', `${JSON.stringify(path)} leads out of ${base.href}.`);
}

async function untilTurn(
  budgets: Budgets,
  source: SourceName,
  { signal, progress }: FetchOptions,
): Promise<string> {
  const since = Date.now();
  for (;;) {
    const turn = await budgets.take(source, sources[source].pace);
    if (turn.isGiven) return turn.id;
    if (Date.now() - since + turn.inMs > PATIENCE_MS) {
      const seconds = Math.ceil(turn.inMs / 1_000);
      const text = `${source} may be asked again in ${seconds} s: its limits count for all processes of the project.`;
      throw new ToolError('NEXUS_RATE_LIMITED', text, { detail: { source, retryAfterMs: turn.inMs } });
    }
    progress?.(`waits for ${source}’s turn`);
    // Not all at once: whoever waited gets one turn among them.
    await pause(turn.inMs + Math.random() * 50, undefined, { signal });
  }
}

function saidBy({ source }: Ask, { status, headers }: Sent): Said {
  if (source === undefined) return {};
  const retryAfterMs = retryAfter(headers.get('retry-after'));
  const isThrottled = status === 429 || sources[source].throttledBy.includes(status);
  const pauseMs = retryAfterMs ?? (isThrottled ? THROTTLED_MS : undefined);
  return { ...sources[source].said(headers, Date.now()), ...(pauseMs === undefined ? {} : { pauseMs }) };
}

function pick(headers: Headers, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = headers.get(name);
      return value === null ? [] : [[name, value]];
    }),
  );
}

/** Seconds or a date (RFC 9110, 10.2.3). */
function retryAfter(text: string | null): number | undefined {
  if (text === null) return undefined;
  const ms = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - Date.now();
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}

function validators(kept: Kept | undefined): Record<string, string> {
  const { etag, 'last-modified': modified } = kept?.headers ?? {};
  return {
    ...(etag === undefined ? {} : { 'if-none-match': etag }),
    ...(modified === undefined ? {} : { 'if-modified-since': modified }),
  };
}

function fetchedOf(kept: Kept, how: Pick<Fetched, 'isFromCache' | 'staleBecause'>): Fetched {
  const { url, status, headers, fetchedAt, body } = kept;
  const sha256 = createHash('sha256').update(body).digest('hex');
  return { url, status, contentType: headers['content-type'], headers, body, sha256, fetchedAt, ...how };
}

function mayServeStale(error: unknown): error is ToolError {
  return (
    error instanceof ToolError && (error.code === 'NEXUS_UNAVAILABLE' || error.code === 'NEXUS_RATE_LIMITED')
  );
}

function throttled({ source, url }: Ask, retryAfterMs: number): ToolError {
  const text = `${source ?? url.origin} asks for fewer requests; it may be asked again in ${Math.ceil(retryAfterMs / 1_000)} s.`;
  return new ToolError('NEXUS_RATE_LIMITED', text, {
    detail: { ...(source ? { source } : {}), retryAfterMs },
  });
}

function failed({ origin }: URL, status: number): ToolError {
  return new ToolError('NEXUS_UNAVAILABLE', `${origin} answered ${status}.`);
}

function tookTooLong({ origin }: URL, requestMs: number): ToolError {
  return new ToolError('NEXUS_UNAVAILABLE', `${origin} did not answer within ${requestMs / 1_000} s.`);
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
