import { type CallContext, defineTool } from '@nexus/plugin-sdk';
import { z } from 'zod';
import { priorities } from '../registry/entries.ts';
import type { ResearchState } from '../state.ts';

export const researchAdd = defineTool({
  name: 'research_add',
  title: 'Add paper',
  description: 'Keep a paper by its arXiv id. One that is there is a conflict.',
  input: z.object({
    arxivId: z
      .string()
      .min(5)
      .max(100)
      .describe('Or with v2, or its URL')
      .meta({ examples: ['2101.00001'] }),
    topic: z.string().min(1).max(200).optional().describe('Kept under'),
    priority: z.enum(priorities).optional().describe('P1 is read first'),
    quotes: z
      .array(z.string().min(8).max(2_000))
      .max(20)
      .default([])
      .describe('Evidence: words of title or abstract, verbatim, found at one place only'),
    dryRun: z.boolean().default(false).describe('Keep nothing'),
  }),
  output: z.object({
    entry: z.looseObject({}),
    added: z.boolean(),
    failedSources: z.array(z.looseObject({})),
  }),
  label: { trust: 'untrusted' },
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  budget: 'network',
  async call(input, context: CallContext<ResearchState>) {
    const { addPaper } = await import('../add-paper.ts');
    return addPaper(input, context);
  },
});
