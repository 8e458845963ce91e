import type { ResourceTemplateDefinition } from '@nexus/plugin-sdk';
import type { Self } from '../self-plugin.ts';

export const runStep: ResourceTemplateDefinition<Self> = {
  uriTemplate: 'nexus://runs/{id}/steps/{step}',
  name: 'run-step',
  title: 'What a step of a run came to',
  description:
    'The whole of what a step answered, by its name in nexus://runs/{id}, which shows the beginning.',
  mimeType: 'application/json',
  read: async ({ id = '', step = '' }, { host, user }) =>
    JSON.stringify((await host.runs.outputOf(id, step, { user })) ?? null, null, 2),
};
