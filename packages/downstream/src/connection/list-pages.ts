import { JSON_RPC, ProtocolError } from '@nexus/core';
import type { Peer } from '@nexus/core/json-rpc';
import type { Log } from '@nexus/plugin-sdk';
import type { RequestOptions } from './connection.ts';

/** More pages than any real list; a server that makes up cursors for ever is stopped at here. */
const MAX_PAGES = 1000;

/** All items of a list, as served. What came before a repeated cursor is kept. */
export async function listPages(
  peer: Pick<Peer, 'request'>,
  list: { readonly serverName: string; readonly method: string; readonly key: string; readonly log: Log },
  options: RequestOptions = {},
): Promise<readonly unknown[]> {
  const { serverName, method, key, log } = list;
  const items: unknown[] = [];
  const seen = new Set<string>();
  let cursor: string | undefined;
  while (seen.size < MAX_PAGES) {
    const page = await peer.request(method, cursor === undefined ? undefined : { cursor }, options);
    const found = page[key];
    if (!Array.isArray(found)) {
      throw new ProtocolError(JSON_RPC.internalError, `The answer to ${method} has no array "${key}".`);
    }
    items.push(...found);
    cursor = nextCursor(page);
    if (cursor === undefined) return items;
    if (seen.has(cursor)) break;
    seen.add(cursor);
  }
  log.warn('a list that does not end was cut', {
    server: serverName,
    method,
    items: items.length,
  });
  return items;
}

/** Some servers end with an empty cursor or null instead of none. */
function nextCursor({ nextCursor }: Readonly<Record<string, unknown>>): string | undefined {
  return typeof nextCursor === 'string' && nextCursor !== '' ? nextCursor : undefined;
}
