import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js';
import { placesOf } from './place-of.ts';

/** Where the server has Nexus go, and why that is not done unasked. */
export interface Detour {
  /** The same for what a person agreed to once. */
  readonly key: string;
  /** Completes `The server …`. */
  readonly what: string;
}

const MAX_REDIRECTS = 5;

/**
 * For what an authorisation asks of addresses that a server named: none of them lies on this machine, on its
 * link or in a private network, unless the server lies there itself, or a person agreed. Else whoever runs a
 * server could have Nexus knock at doors that only this machine reaches. Redirects are addresses, too.
 * @param admit throws where nobody agrees
 */
export function guardedFetch(
  send: FetchLike,
  serverUrl: string,
  admit: (detour: Detour) => Promise<void>,
): FetchLike {
  const server = new URL(serverUrl);

  async function assertReachable(url: URL): Promise<void> {
    if (url.origin === server.origin) return;
    const places = [...(await placesOf(url))].filter((place) => place !== 'public');
    if (places.length === 0) return;
    const own = await placesOf(server);
    const strange = places.find((place) => !own.has(place));
    if (strange === undefined) return;
    const what = `has Nexus authorise itself at ${url.origin}, a ${strange} address, where the server is not`;
    await admit({ key: `address ${url.origin}`, what });
  }

  return async (url, init) => {
    let next = new URL(url);
    for (let hops = 0; ; hops += 1) {
      await assertReachable(next);
      const response = await send(next, { ...init, redirect: 'manual' });
      const location = response.headers.get('location');
      const leadsOn = response.status >= 300 && response.status < 400 && location !== null;
      if (!leadsOn) return response;
      await response.body?.cancel();
      const isRead = (init?.method ?? 'GET').toUpperCase() === 'GET';
      // What is posted there are codes and tokens, which are for the address that was named.
      if (!isRead || hops === MAX_REDIRECTS || !URL.canParse(location, next.href)) {
        throw new Error(`${next.origin} answered with a redirect that is not followed`);
      }
      next = new URL(location, next);
    }
  };
}

/** Where a server's metadata would be read from: its own origin alone, unless a person agrees (RFC 9728, 7.7). */
export function metadataDetour(serverUrl: string, metadataUrl: URL | undefined): Detour | undefined {
  if (!metadataUrl || metadataUrl.origin === new URL(serverUrl).origin) return undefined;
  return {
    key: `metadata ${metadataUrl.origin}`,
    what: `says that ${metadataUrl.origin} knows where Nexus is to be authorised, which is another origin`,
  };
}
