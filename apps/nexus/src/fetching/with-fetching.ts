import type { Fetching } from '@nexus/plugin-sdk';
import { loadConfig } from '../loaded-config/load-config.ts';
import { projectStore } from '../project/project-store.ts';
import { useState } from '../state/state-users.ts';
import { lazyFetching } from './lazy-fetching.ts';

/** Lends a command the way out of the machine that a server has, with its budgets and what it keeps. */
export async function withFetching<Answer>(
  configFile: string | undefined,
  work: (fetching: Fetching) => Promise<Answer>,
): Promise<Answer> {
  const loaded = await loadConfig({ config: configFile });
  const { config, dataDir, projectRoot } = loaded;
  const use = await useState(dataDir, projectRoot);
  const store = projectStore(loaded);
  const fetching = lazyFetching({ config: config.sources, store, dataDir });
  try {
    return await work(fetching);
  } finally {
    await fetching.close();
    await store.close();
    use.leave();
  }
}
