import { createStore, type OpenStore, type StoreLocation } from '@nexus/store';
import type { Project } from './project-id.ts';

/** A project as a config has it. */
interface Stored {
  readonly identify: () => Project;
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
}

/** The store with the project's tables; makes the project's id where there is none yet. */
export function projectStore(
  { identify, dataDir, databaseUrl }: Stored,
  more: Pick<StoreLocation, 'log' | 'lockWaitMs' | 'onLost'> = {},
): OpenStore {
  const { id: projectId, formerId } = identify();
  return createStore({ projectId, formerId, dataDir, databaseUrl, ...more });
}
