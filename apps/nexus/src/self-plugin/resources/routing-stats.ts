import type { ResourceDefinition } from '@nexus/plugin-sdk';
import type { Self } from '../self-plugin.ts';

export const routingStats: ResourceDefinition<Self> = {
  uri: 'nexus://routing_stats',
  name: 'routing_stats',
  title: 'Routing statistics',
  description:
    'What became of the calls of language models, by model and category: runs, successes, latency, tokens and cost.',
  mimeType: 'application/json',
  async read({ host }) {
    const outcomes = await host.models.outcomes();
    const runs = outcomes.reduce((sum, each) => sum + each.runs, 0);
    return JSON.stringify({ runs, outcomes }, null, 2);
  },
};
