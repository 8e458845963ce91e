import { type CallContext, defineTool, sourceNames } from '@nexus/plugin-sdk';
import { z } from 'zod';
import type { ResearchState } from '../state.ts';

export const researchDiscover = defineTool({
  name: 'research_discover',
  title: 'Discover research',
  description: 'Search papers and repositories: one item a work, with retractions. Keeps nothing.',
  input: z.object({
    topic: z.string().min(2).max(300).describe('Words'),
    source: z
      .enum(['all', ...sourceNames])
      .default('all')
      .describe('Only this one'),
    maxResults: z.number().int().min(1).max(200).default(10).describe('Most'),
    offset: z.int().min(0).max(800).default(0).describe('To skip'),
    sinceDate: z.iso.date().optional().describe('Published since'),
  }),
  output: z.object({
    items: z.array(z.looseObject({})),
    total: z.number().int().describe('Works among what was fetched'),
    nextOffset: z.int().optional(),
    sources: z.array(z.looseObject({})),
    failedSources: z.array(z.looseObject({})),
    alreadyInRegistry: z.array(z.looseObject({})),
  }),
  label: { trust: 'untrusted', privacy: 'public' },
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  budget: 'network',
  async call(input, context: CallContext<ResearchState>) {
    const { discover } = await import('../discover.ts');
    return discover(input, context);
  },
});
