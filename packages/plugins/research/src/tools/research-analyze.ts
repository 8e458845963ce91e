import { type CallContext, defineTool } from '@nexus/plugin-sdk';
import { z } from 'zod';
import type { ResearchState } from '../state.ts';

export const researchAnalyze = defineTool({
  name: 'research_analyze',
  title: 'Analyze research',
  description: 'Count what the research registry lacks, what grows, comes first, is stale or covered.',
  input: z.object({
    focus: z.enum(['gaps', 'trends', 'priorities', 'stale', 'coverage']).describe('Of what'),
    topic: z.string().min(1).max(200).optional().describe('Only this'),
  }),
  output: z.object({
    findings: z.array(z.looseObject({})),
    recommendations: z.array(z.string()),
  }),
  label: { trust: 'untrusted' },
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  budget: 'interactive',
  async call({ focus, topic }, context: CallContext<ResearchState>) {
    const { analyze } = await import('../analyze.ts');
    return analyze(focus, topic, await (await context.state.registry(context)).read());
  },
});
