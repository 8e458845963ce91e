import type { ResourceDefinition } from '@nexus/plugin-sdk';
import type { Self } from '../self-plugin.ts';

export const models: ResourceDefinition<Self> = {
  uri: 'nexus://models',
  name: 'models',
  title: 'Language models',
  description:
    'The sources of language models in the order of use, whether each was found and why, with windows and prices.',
  mimeType: 'application/json',
  read: async ({ host }) => JSON.stringify({ providers: await host.models.list() }, null, 2),
};
