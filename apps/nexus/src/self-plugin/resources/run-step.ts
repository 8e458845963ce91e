import { type ResourceTemplateDefinition, ToolError } from '@nexus/plugin-sdk';
import type { Self } from '../self-plugin.ts';

export const runStep: ResourceTemplateDefinition<Self> = {
  uriTemplate: 'nexus://runs/{id}/steps/{step}',
  name: 'run-step',
  title: 'What a step of a run came to',
  description:
    'The whole of what a step answered, by its name, percent-encoded; nexus://runs/{id} has the names and the beginnings.',
  mimeType: 'application/json',
  read: async ({ id = '', step = '' }, { host, user }) =>
    JSON.stringify((await host.runs.outputOf(id, nameOf(step), { user })) ?? null, null, 2),
};

/** As the URI has it: names of steps hold spaces and more. */
function nameOf(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    throw new ToolError('NEXUS_NOT_FOUND', `${JSON.stringify(step)} is no name in percent-encoding.`);
  }
}
