import { type CallContext, defineTool } from '@nexus/plugin-sdk';
import { z } from 'zod';
import { fitted } from '../fitted.ts';
import type { ResearchState } from '../state.ts';

export const researchQuery = defineTool({
  name: 'research_query',
  title: 'Query research',
  description:
    'Read the research registry: search, status of techniques, overlap with a text or technique, stats.',
  input: z.object({
    action: z.enum(['stats', 'search', 'status', 'overlap']).describe('What to ask'),
    query: z.string().min(1).max(2_000).optional().describe('search: words, none for all; overlap: text'),
    techniqueId: z.string().max(80).optional().describe('status, overlap'),
    threshold: z
      .number()
      .min(0)
      .max(1)
      .default(0.2)
      .describe('overlap: least likeness of words; not support'),
    limit: z.number().int().min(1).max(200).default(20).describe('Most'),
    offset: z.int().min(0).max(100_000).default(0).describe('To skip'),
  }),
  output: z.object({
    results: z.array(z.looseObject({})).optional(),
    total: z.number().int().optional(),
    stats: z.looseObject({}).optional(),
  }),
  label: { trust: 'untrusted' },
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  budget: 'interactive',
  async call(input, context: CallContext<ResearchState>) {
    const { queryRegistry } = await import('../query-registry.ts');
    const found = queryRegistry(input, await (await context.state.registry(context)).read());
    if (!('results' in found)) return found;
    const page: readonly Readonly<Record<string, unknown>>[] = found.results;
    return { ...found, results: await fitted(page, context) };
  },
});
