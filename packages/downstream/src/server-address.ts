import { stableHash } from '@nexus/primitives';
import { isGlob } from './definitions/filter-names.ts';
import type { ServerSettings } from './settings.ts';

/** Names a server of a toolbox. */
export interface ServerAddress {
  readonly toolbox: string;
  readonly server: string;
}

/** A server, and which of the lists it may have given is meant. */
export interface ListAddress extends ServerAddress {
  /** Of its settings, without secrets. */
  readonly settingsKey: string;
  /** The same for equal addresses. */
  readonly listKey: string;
  /** Whether its tools are filtered by more than names and stars. */
  readonly hasGlobs?: boolean | undefined;
}

/** One server of a toolbox, by its settings. */
export interface OfferedServer extends ListAddress {
  readonly settings: ServerSettings;
  /** Of the connection's settings. */
  readonly connectionKey: string;
}

export function listAddress(address: Omit<ListAddress, 'listKey'>): ListAddress {
  const { toolbox, server, settingsKey } = address;
  return { toolbox, server, settingsKey, listKey: JSON.stringify([toolbox, server, settingsKey]) };
}

export function offeredServer(toolbox: string, server: string, settings: ServerSettings): OfferedServer {
  return {
    ...listAddress({ toolbox, server, settingsKey: catalogueKey(settings) }),
    settings,
    hasGlobs: settings.toolFilters.some(isGlob),
    connectionKey: connectionKey(settings),
  };
}

/** The same for settings that make the same connection, however its tools are filtered or named. */
function connectionKey(settings: ServerSettings): string {
  const { toolFilters: _filters, tools: _tools, timeoutMs: _timeout, ...rest } = settings;
  return stableHash(rest);
}

/**
 * Which list of tools a server of these settings gives, as far as that can be told without what may be
 * secret: a token that was changed changes no list.
 */
function catalogueKey({ transport, command, args, cwd, url, env, headers }: ServerSettings): string {
  const names = { env: Object.keys(env).sort(), headers: Object.keys(headers).sort() };
  return stableHash({ transport, command, args, cwd, url: url && withoutSecrets(url), ...names });
}

function withoutSecrets(url: string): string {
  if (!URL.canParse(url)) return '';
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}

/** Whether a server is at an address that is not this machine's. */
export function isElsewhere(url: string | undefined): boolean {
  if (url === undefined || !URL.canParse(url)) return false;
  return !/^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(new URL(url).hostname);
}
