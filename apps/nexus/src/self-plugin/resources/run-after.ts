import { type ResourceTemplateDefinition, ToolError } from '@nexus/plugin-sdk';
import type { Self } from '../self-plugin.ts';
import { runPage } from './run-page.ts';

export const runAfter: ResourceTemplateDefinition<Self> = {
  uriTemplate: 'nexus://runs/{id}/after/{after}',
  name: 'run-after',
  title: 'Further steps of a run',
  description: 'The same run with its steps after those of another page, as `more.uri` of that page has it.',
  mimeType: 'application/json',
  async read({ id = '', after = '' }, { host, user }) {
    if (!/^-?\d{1,15}$/.test(after))
      throw new ToolError(
        'NEXUS_NOT_FOUND',
        `A page of run ${id} begins after a number, as more.uri has it; found ${JSON.stringify(after)}.`,
      );
    return runPage(host.runs, { id, user, after: Number(after) });
  },
};
