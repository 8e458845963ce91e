import { type Fetching, isToolError, ToolError } from '@nexus/plugin-sdk';

interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface RoutedFetch {
  fetch(url: string, asked?: Asked): Promise<Response>;
  /** What the way out refused last, which no status of GitHub's says. */
  refusal(): ToolError | undefined;
}

/** Says "do not try this again" to octokit; what it was is `refusal()`. */
const REFUSED = 451;
const WITHOUT_BODY = [204, 205, 304];

/**
 * `fetch` for octokit, by `host.fetching`: its guard, its cache with validators, its budgets that count for all
 * processes. It goes below GitHub's base URL and nowhere else, also by the links of pages.
 */
export function routedFetch(
  fetching: Fetching,
  {
    baseUrl,
    signal,
    progress,
  }: { readonly baseUrl: string; readonly signal: AbortSignal; readonly progress: (message: string) => void },
): RoutedFetch {
  const base = new URL(baseUrl.endsWith('/') ? baseUrl : `${baseUrl}/`);
  let refused: ToolError | undefined;
  return {
    refusal: () => refused,
    async fetch(text, { method = 'GET', headers = {}, body } = {}) {
      refused = undefined;
      try {
        const url = new URL(text);
        if (url.origin !== base.origin || !url.pathname.startsWith(base.pathname)) {
          throw new ToolError(
            'NEXUS_DENIED',
            `GitHub’s answer leads to ${url.origin}, and not below ${base.href}.`,
          );
        }
        const fetched = await fetching.source('github', {
          path: `${url.pathname.slice(base.pathname.length)}${url.search}`,
          method: method as 'GET',
          ...(body === undefined ? {} : { body }),
          ...(headers.accept === undefined ? {} : { accept: headers.accept }),
          isRaw: true,
          signal,
          progress,
        });
        if (fetched.status >= 300 && fetched.status < 400 && method !== 'GET') {
          throw new ToolError('NEXUS_NOT_FOUND', 'The repository has moved: name it by its new address.');
        }
        if (fetched.status === 200 && headers.accept?.includes('json') && !isJson(fetched.body)) {
          refused = new ToolError(
            'NEXUS_UNAVAILABLE',
            `What answers at ${base.href} is not GitHub’s API: ${url.pathname} was answered by something that is no JSON. Is sources.github.baseUrl in the config right, and does no proxy or login page stand before it?`,
          );
          return refusedResponse();
        }
        return new Response(
          WITHOUT_BODY.includes(fetched.status) ? null : (fetched.body as Uint8Array<ArrayBuffer>),
          {
            status: fetched.status,
            headers: {
              ...fetched.headers,
              'x-nexus-fetched-at': String(fetched.fetchedAt),
              ...(fetched.staleBecause === undefined
                ? {}
                : { 'x-nexus-stale': encodeURI(fetched.staleBecause) }),
            },
          },
        );
      } catch (error) {
        signal.throwIfAborted();
        // What could not be reached may be reached a moment later; what was too large is too large then, too.
        const isTooLarge = isToolError(error) && error.detail?.maxBytes !== undefined;
        if (!isToolError(error) || (error.code === 'NEXUS_UNAVAILABLE' && !isTooLarge)) throw error;
        refused = error;
        return refusedResponse();
      }
    },
  };
}

function refusedResponse(): Response {
  return new Response('{}', { status: REFUSED, headers: { 'content-type': 'application/json' } });
}

function isJson(body: Uint8Array): boolean {
  try {
    JSON.parse(new TextDecoder().decode(body));
    return true;
  } catch {
    return false;
  }
}
