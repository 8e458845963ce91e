import { type CallContext, defineTool } from '@nexus/plugin-sdk';
import { z } from 'zod';
import type { GitHubState } from '../state.ts';
import { Cut, maxTokens } from './fields.ts';

const FIELDS = ['about', 'languages', 'folders', 'manifests', 'workflows', 'securityGaps'] as const;

export const repoAnalyze = defineTool({
  name: 'repo_analyze',
  title: 'Analyze a repository',
  description:
    'What a GitHub repository is made of: activity, license, languages, folders, manifests, workflows; includeSecurityGaps: what its files lack or do dangerously, with the files that show it.',
  input: z.object({
    repoUrl: z
      .string()
      .min(3)
      .max(500)
      .describe('Its URL, or owner/name')
      .meta({ examples: ['nodejs/undici'] }),
    includeSecurityGaps: z.boolean().default(false).describe('Reads its workflows, a request each'),
    fields: z
      .array(z.enum(FIELDS))
      .min(1)
      .max(6)
      .optional()
      .describe('Only these; securityGaps asks for the gaps'),
    maxTokens: maxTokens.default(2_000),
  }),
  output: z.object({
    repo: z.string(),
    fetchedAt: z.string(),
    staleBecause: z.string().optional(),
    about: z.looseObject({}).optional(),
    languages: z.record(z.string(), z.number()).optional(),
    fileCount: z.number().optional(),
    isTreeCut: z.boolean().optional(),
    folders: z.array(z.looseObject({ path: z.string() })).optional(),
    manifests: z.array(z.looseObject({ path: z.string() })).optional(),
    workflows: z.array(z.string()).optional(),
    securityGaps: z.array(z.looseObject({ id: z.string() })).optional(),
    notRead: z.array(z.string()).optional(),
    cut: Cut.optional(),
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  label: { privacy: 'public' },
  budget: 'network',
  async call(input, context: CallContext<GitHubState>) {
    const { analyze } = await import('../repository/analyze.ts');
    return analyze(input, context);
  },
});
