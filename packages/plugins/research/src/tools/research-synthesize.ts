import { type CallContext, defineTool } from '@nexus/plugin-sdk';
import { z } from 'zod';
import type { ResearchState } from '../state.ts';

export const researchSynthesize = defineTool({
  name: 'research_synthesize',
  title: 'Synthesize research',
  description:
    'Group the registry’s papers by theme (TF-IDF). Every sentence is verbatim of an abstract, with where it stands.',
  input: z.object({
    topicFilter: z.string().min(1).max(200).optional().describe('Only this topic, or these words'),
  }),
  output: z.object({
    clusters: z.array(z.looseObject({ theme: z.string(), papers: z.array(z.looseObject({})) })),
    papers: z.number().int(),
    note: z.string().optional(),
  }),
  label: { trust: 'untrusted' },
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  budget: 'interactive',
  async call({ topicFilter }, context: CallContext<ResearchState>) {
    const { synthesize } = await import('../synthesize.ts');
    return synthesize(topicFilter, await (await context.state.registry(context)).read());
  },
});
