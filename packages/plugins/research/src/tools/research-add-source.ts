import { type CallContext, defineTool } from '@nexus/plugin-sdk';
import { z } from 'zod';
import { sourceTypes } from '../registry/entries.ts';
import type { ResearchState } from '../state.ts';

const Word = z.string().min(1).max(100);

export const researchAddSource = defineTool({
  name: 'research_add_source',
  title: 'Add source',
  description: 'Fetch a page, keep it as a source. Papers it mentions go to research_catalog_review.',
  input: z.object({
    url: z
      .string()
      .min(8)
      .max(2_000)
      .describe('http or https')
      .meta({ examples: ['https://example.com/'] }),
    name: z.string().min(1).max(200).describe('Its name'),
    type: z.enum(sourceTypes).describe('Kind of page'),
    topics: z.array(Word).max(20).default([]).describe('Kept under'),
    tags: z.array(Word).max(20).default([]).describe('To find it by'),
    verdict: z.string().min(1).max(5_000).optional().describe('Your opinion'),
    quotes: z
      .array(z.string().min(8).max(2_000))
      .max(20)
      .default([])
      .describe('Its words, verbatim, at one place only'),
    dryRun: z.boolean().default(false).describe('Keep nothing'),
  }),
  output: z.object({
    sourceId: z.string(),
    fetched: z.looseObject({}),
    evidence: z.looseObject({}),
    mentions: z.array(z.string()),
    added: z.boolean(),
  }),
  label: { trust: 'untrusted' },
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  budget: 'network',
  async call(input, context: CallContext<ResearchState>) {
    const { addSource } = await import('../add-source.ts');
    return addSource(input, context);
  },
});
