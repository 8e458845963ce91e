import type { Models } from '@nexus/plugin-sdk';
import { createStore } from '@nexus/store';
import { loadConfig } from '../config/load-config.ts';
import { createLog } from '../log.ts';
import { lazyModels } from './lazy-models.ts';

/** Lends a command the models that a server would have with this terminal's environment. */
export async function withModels<Answer>(
  configFile: string | undefined,
  use: (models: Models) => Promise<Answer>,
): Promise<Answer> {
  const { config, dataDir, databaseUrl, identify, projectRoot } = await loadConfig({ config: configFile });
  const log = createLog('error');
  const store = createStore({ projectId: identify().id, dataDir, databaseUrl });
  const models = lazyModels({ config: config.models, store, log, projectRoot, recorded() {} });
  try {
    return await use(models);
  } finally {
    await models.close();
    await store.close();
  }
}
