import type { Log } from '@nexus/plugin-sdk';
import { createStore, type OpenStore } from '@nexus/store';
import type { LoadedConfig } from '../config/load-config.ts';

/** The store with the tables of the config's project; makes the project's id where there is none yet. */
export function projectStore(
  { identify, dataDir, databaseUrl }: Pick<LoadedConfig, 'identify' | 'dataDir' | 'databaseUrl'>,
  log?: Log,
): OpenStore {
  const { id: projectId, formerId } = identify();
  return createStore({ projectId, formerId, dataDir, databaseUrl, log });
}
