import type { Models } from '@nexus/plugin-sdk';
import { loadConfig } from '../loaded-config/load-config.ts';
import { createLog } from '../log.ts';
import { projectStore } from '../project/project-store.ts';
import { useState } from '../state/state-users.ts';
import { lazyModels } from './lazy-models.ts';

/** Lends a command the models that a server would have with this terminal's environment. */
export async function withModels<Answer>(
  configFile: string | undefined,
  work: (models: Models) => Promise<Answer>,
): Promise<Answer> {
  const loaded = await loadConfig({ config: configFile });
  const { config, dataDir, projectRoot } = loaded;
  const use = await useState(dataDir, projectRoot);
  const log = createLog('error');
  const store = projectStore(loaded);
  const models = lazyModels({ config: config.models, store, log, projectRoot, recorded() {} });
  try {
    return await work(models);
  } finally {
    await models.close();
    await store.close();
    use.leave();
  }
}
