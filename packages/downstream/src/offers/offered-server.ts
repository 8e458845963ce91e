import type { ListAddress } from '../catalogue/known-lists.ts';
import type { PoolKey } from '../pool/pool.ts';
import { catalogueKey, connectionKey } from '../pool/server-key.ts';
import type { ServerSettings } from '../settings.ts';

/** One server of a toolbox, by its settings. */
export interface OfferedServer extends PoolKey, ListAddress {
  readonly settings: ServerSettings;
}

export function offeredServer(toolbox: string, server: string, settings: ServerSettings): OfferedServer {
  return {
    toolbox,
    server,
    settings,
    isolation: settings.isolation,
    connectionKey: connectionKey(settings),
    settingsKey: catalogueKey(settings),
  };
}
