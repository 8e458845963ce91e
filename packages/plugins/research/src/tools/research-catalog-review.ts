import { type CallContext, defineTool } from '@nexus/plugin-sdk';
import { z } from 'zod';
import type { ResearchState } from '../state.ts';

export const researchCatalogReview = defineTool({
  name: 'research_catalog_review',
  title: 'Review catalog',
  description: 'Works that kept sources mention: list, approve into the registry, or dismiss.',
  input: z.object({
    action: z.enum(['list', 'approve', 'dismiss']).describe('What to do'),
    identifier: z.string().max(300).optional().describe('approve, dismiss: as list shows it'),
    topic: z.string().max(200).optional().describe('list: only this; approve: keep under'),
    limit: z.number().int().min(1).max(200).default(50).describe('list: most'),
    offset: z.int().min(0).max(100_000).default(0).describe('list: to skip'),
  }),
  output: z.object({
    entries: z.array(z.looseObject({})),
    total: z.number().int(),
  }),
  label: { trust: 'untrusted' },
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  budget: 'interactive',
  async call(input, context: CallContext<ResearchState>) {
    const { reviewCatalog } = await import('../review-catalog.ts');
    return reviewCatalog(input, context);
  },
});
