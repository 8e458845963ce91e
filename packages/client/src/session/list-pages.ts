import { JSON_RPC, ProtocolError } from '@nexus/core';
import type { Peer } from '@nexus/core/json-rpc';
import type { Log } from '@nexus/plugin-sdk';
import type { RequestOptions } from '../connection.ts';
import { sizeOf } from '../size-of.ts';

/** More pages than any real list; a server that makes up cursors for ever is stopped at here. */
const MAX_PAGES = 1000;
const MAX_ITEMS = 20_000;
/** Of all pages together, as JSON. */
const MAX_CHARS = 32 * 1024 * 1024;

/** All items of a list, as served. What came before a repeated cursor is kept. */
export async function listPages(
  peer: Pick<Peer, 'request'>,
  list: { readonly serverName: string; readonly method: string; readonly key: string; readonly log: Log },
  options: RequestOptions,
): Promise<readonly unknown[]> {
  const { serverName, method, key, log } = list;
  const items: unknown[] = [];
  const seen = new Set<string>();
  let cursor: string | undefined;
  let characters = 0;
  while (seen.size < MAX_PAGES && items.length < MAX_ITEMS && characters < MAX_CHARS) {
    const page = await peer.request(method, cursor === undefined ? undefined : { cursor }, options);
    const found = page[key];
    if (!Array.isArray(found)) {
      throw new ProtocolError(JSON_RPC.internalError, `The answer to ${method} has no array "${key}".`);
    }
    for (const item of found.slice(0, MAX_ITEMS - items.length)) {
      // One that is nested too deep is nothing to anyone: what would store or send it can't.
      const size = sizeOf(item, MAX_CHARS - characters);
      characters += Number.isFinite(size) ? size : 0;
      if (characters > MAX_CHARS) break;
      items.push(Number.isFinite(size) ? item : null);
    }
    cursor = nextCursor(page);
    if (cursor === undefined && characters <= MAX_CHARS) return items;
    if (cursor === undefined) break;
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
