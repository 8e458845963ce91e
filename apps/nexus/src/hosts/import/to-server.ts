import { isRecord } from '@nexus/core';
import type { RawServer } from './read-host-file.ts';

/** A server in the words of our config, or why it can't be one. */
export type ConvertedServer =
  | { readonly server: Record<string, unknown>; readonly leftOut: readonly string[] }
  | { readonly reason: string };

const KEPT = ['command', 'args', 'env', 'cwd', 'url', 'headers', 'disabled', 'oauth', 'toolFilters'] as const;
/** What some hosts call a url. */
const URL_KEYS = ['url', 'serverUrl', 'httpUrl'] as const;
const TYPES: Readonly<Record<string, string>> = {
  stdio: 'stdio',
  http: 'http',
  'streamable-http': 'http',
  streamableHttp: 'http',
  sse: 'sse',
};

/** A host's entry as an entry of our config; what only that host understands is left out and named. */
export function toServer(raw: RawServer): ConvertedServer {
  const url = URL_KEYS.map((key) => raw[key]).find((value) => typeof value === 'string');
  if (typeof raw.command !== 'string' && url === undefined)
    return { reason: 'it has neither a command nor a url' };
  const written = raw.type ?? raw.transport;
  const type = typeof written === 'string' ? TYPES[written] : undefined;
  if (written !== undefined && type === undefined) {
    return { reason: `its type is ${JSON.stringify(written)}; allowed: stdio, http, sse` };
  }
  const kept = KEPT.filter((key) => isGiven(raw[key])).map((key) => [key, raw[key]]);
  const implied = url === undefined ? 'stdio' : 'http';
  const server = {
    ...Object.fromEntries(kept),
    ...(url === undefined ? {} : { url }),
    ...(type === undefined || type === implied ? {} : { transport: type }),
  };
  const known: readonly string[] = [...KEPT, ...URL_KEYS, 'type', 'transport'];
  return { server, leftOut: Object.keys(raw).filter((key) => !known.includes(key)) };
}

/** Whether it is Nexus: a server must not start itself. */
export function isNexus({ command, args }: RawServer): boolean {
  const words = [command, ...(Array.isArray(args) ? args : [])].map(String);
  const isServer = words.some((word) => /^--mode=(server|client)$/.test(word));
  return isServer && words.some((word) => /\bnexus(-mcp)?(\.js|\.cmd)?$/i.test(word));
}

function isGiven(value: unknown): boolean {
  if (value === undefined || value === false) return false;
  if (Array.isArray(value)) return value.length > 0;
  return !isRecord(value) || Object.keys(value).length > 0;
}
