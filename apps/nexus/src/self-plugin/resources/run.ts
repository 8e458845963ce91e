import type { ResourceTemplateDefinition } from '@nexus/plugin-sdk';
import type { Self } from '../self-plugin.ts';

export const run: ResourceTemplateDefinition<Self> = {
  uriTemplate: 'nexus://runs/{id}',
  name: 'run',
  title: 'A durable run',
  description: 'One run: status, steps, questions, children, cost. Updated when any of it changes.',
  mimeType: 'application/json',
  read: async ({ id = '' }, { host, user }) => JSON.stringify(await host.runs.get(id, { user }), null, 2),
};
