import type { ResourceDefinition } from '@nexus/plugin-sdk';
import { shownConfig } from '../../config/shown-config.ts';
import type { Self } from '../self-plugin.ts';

export const config: ResourceDefinition<Self> = {
  uri: 'nexus://config',
  name: 'config',
  title: 'Configuration',
  description: 'The config as it holds, defaults filled in, secrets masked.',
  mimeType: 'application/json',
  async read({ state }) {
    const { configFile = null, projectRoot, dataDir } = state;
    const shown = shownConfig({ ...state, pluginOptions: await state.pluginOptions() });
    return JSON.stringify({ configFile, projectRoot, dataDir, config: shown }, null, 2);
  },
};
