import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { Authority } from './authority.ts';
import { readChallenge } from './challenge.ts';

/** A first token, then more scope, then a token that has just expired: more is a server that never agrees. */
const MAX_AUTHORIZATIONS = 3;

/**
 * Sends the server's token along, and gets one when it is asked for. Under the SDK's transports instead of
 * their own handling, which fails one of two requests that meet an expired token at the same time.
 */
export function authorizedFetch(send: FetchLike, authority: Authority): FetchLike {
  return async (url, init) => {
    const seen = new Set<string>();
    while (true) {
      const token = await authority.accessToken();
      const response = await send(url, withToken(init, token));
      const challenge = readChallenge(response);
      if (!challenge) return response;
      const key = `${challenge.wants} ${challenge.header}`;
      if (seen.has(key) || seen.size === MAX_AUTHORIZATIONS) return response;
      seen.add(key);
      await response.body?.cancel();
      await authority.authorize(challenge, token);
    }
  };
}

function withToken(init: RequestInit | undefined, token: string | undefined): RequestInit | undefined {
  if (token === undefined) return init;
  const headers = new Headers(init?.headers);
  headers.set('authorization', `Bearer ${token}`);
  return { ...init, headers };
}
