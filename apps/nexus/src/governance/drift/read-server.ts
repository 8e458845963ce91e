import { JSON_RPC } from '@nexus/core/errors';
import { isRecord } from '@nexus/core/json-type';
import { LOCKED_LISTS, type LockSection, type ServerLock } from './server-lock.ts';

/** Sends a request on an initialised session and gives its result as it came, no key dropped. */
export type SendRequest = (
  method: string,
  params: Record<string, unknown>,
) => Promise<Record<string, unknown>>;

export interface ServerReading {
  readonly lock: ServerLock;
  /** Entries that could not be taken, each with the reason; the rest of their list is there. */
  readonly faults: readonly string[];
}

/** More pages than any real server has: a cursor that never ends must not hold its reader for ever. */
const MAX_PAGES = 1000;

/**
 * Reads all pages of all lists. A list that the server does not know is empty; one bad entry is
 * reported and left out.
 * @throws what `send` throws, but for "method not found"
 */
export async function readServer(send: SendRequest): Promise<ServerReading> {
  const faults: string[] = [];
  const sections = {} as Record<LockSection, Record<string, unknown>>;
  for (const { section, method, key } of LOCKED_LISTS) {
    const entries = await readPages(send, method, section);
    sections[section] = byName(entries, { section, key, faults });
  }
  return { lock: sections, faults };
}

async function readPages(send: SendRequest, method: string, section: string): Promise<unknown[]> {
  const entries: unknown[] = [];
  let cursor: unknown;
  for (let page = 0; page < MAX_PAGES; page++) {
    const result = await send(method, cursor === undefined ? {} : { cursor }).catch(emptyWhereUnknown);
    const listed = result[section];
    entries.push(...(Array.isArray(listed) ? listed : []));
    cursor = result.nextCursor;
    if (cursor === undefined || cursor === null || cursor === '') return entries;
  }
  throw new Error(`${method} has more than ${MAX_PAGES} pages; its cursor does not seem to end`);
}

function emptyWhereUnknown(error: unknown): Record<string, unknown> {
  if (isRecord(error) && error.code === JSON_RPC.methodNotFound) return {};
  throw error;
}

function byName(
  entries: readonly unknown[],
  { section, key, faults }: { section: string; key: string; faults: string[] },
): Record<string, unknown> {
  const named = new Map<string, unknown>();
  for (const [index, entry] of entries.entries()) {
    const name = isRecord(entry) ? entry[key] : undefined;
    if (typeof name !== 'string' || name === '') faults.push(`${section}[${index}] has no ${key}; left out`);
    else if (named.has(name)) faults.push(`${section}[${index}] is a second "${name}"; left out`);
    else named.set(name, entry);
  }
  return Object.fromEntries([...named].sort(([a], [b]) => (a < b ? -1 : 1)));
}
