import { type CallContext, defineTool } from '@nexus/plugin-sdk';
import { z } from 'zod';
import { CATEGORIES } from '../security/categories.ts';
import type { GitHubState } from '../state.ts';

export const repoSecurityPlan = defineTool({
  name: 'repo_security_plan',
  title: 'Plan security pipelines',
  description:
    'Security pipelines for a GitHub repository, by what it has: a ready file each, actions pinned to the commit that GitHub names. Writes nothing.',
  input: z.object({
    repoUrl: z
      .string()
      .min(3)
      .max(500)
      .describe('Its URL, or owner/name')
      .meta({ examples: ['nodejs/undici'] }),
    analysis: z
      .looseObject({
        repo: z.string().max(300).describe('As it answered'),
        securityGaps: z
          .array(z.looseObject({ id: z.string().max(100).describe('Of the gap') }))
          .max(500)
          .optional()
          .describe('As it answered'),
      })
      .optional()
      .describe('repo_analyze’s answer: only what closes its securityGaps'),
    categories: z.array(z.enum(CATEGORIES)).min(1).max(CATEGORIES.length).optional().describe('Only these'),
  }),
  output: z.object({
    repo: z.string(),
    fetchedAt: z.string(),
    staleBecause: z.string().optional(),
    isTreeCut: z.boolean().optional(),
    files: z.array(
      z.looseObject({ path: z.string(), content: z.string(), isReplacing: z.boolean().nullable() }),
    ),
    notNeeded: z.array(z.looseObject({ category: z.string(), why: z.string() })),
    unpinned: z.array(z.string()),
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  label: { privacy: 'public' },
  budget: 'network',
  async call(input, context: CallContext<GitHubState>) {
    const { plan } = await import('../security/plan.ts');
    return plan(input, context);
  },
});
