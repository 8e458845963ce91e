import type { ResourceTemplateDefinition } from '@nexus/plugin-sdk';
import type { Self } from '../self-plugin.ts';
import { runPage } from './run-page.ts';

export const run: ResourceTemplateDefinition<Self> = {
  uriTemplate: 'nexus://runs/{id}',
  name: 'run',
  title: 'A durable run',
  description:
    'One run: status, steps, questions, children, cost. Of many steps a page; `more.uri` has the next. Updated when any of it changes.',
  mimeType: 'application/json',
  read: ({ id = '' }, { host, user }) => runPage(host.runs, { id, user }),
};
