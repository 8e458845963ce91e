import { type CallContext, defineTool } from '@nexus/plugin-sdk';
import { z } from 'zod';
import type { ResearchState } from '../state.ts';

export const surveyOssLandscape = defineTool({
  name: 'survey_oss_landscape',
  title: 'Survey open source',
  description: 'Search GitHub for repositories: stars, licence, last push.',
  input: z.object({
    query: z.string().min(2).max(200).describe('Words'),
    maxResults: z.number().int().min(1).max(100).default(20).describe('Most'),
    offset: z.int().min(0).max(999).default(0).describe('To skip'),
    minStars: z.number().int().min(0).max(1_000_000).default(0).describe('Least stars'),
    language: z
      .string()
      .regex(/^[\w+#.-][\w+#. -]{0,49}$/)
      .optional()
      .describe('Such as TypeScript'),
  }),
  output: z.object({
    candidates: z.array(z.looseObject({})),
    total: z.number().int(),
    source: z.looseObject({}),
  }),
  label: { trust: 'untrusted', privacy: 'public' },
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  budget: 'network',
  async call(input, context: CallContext<ResearchState>) {
    const { surveyRepositories } = await import('../survey-repositories.ts');
    return surveyRepositories(input, await context.state.asking(context));
  },
});
