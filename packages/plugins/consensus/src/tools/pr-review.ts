import {
  BASIS_MEANS,
  bases,
  type CallContext,
  capOf,
  defineRunTool,
  type Host,
  ToolError,
} from '@nexus/plugin-sdk';
import { z } from 'zod';
import { findingKinds, severities } from '../review/findings/finding.ts';
import type { ReviewInput } from '../review/review.ts';
import { MAX_DIFF_CHARS, reviewRun } from '../review/review-run.ts';
import type { ConsensusState } from '../state.ts';

const finding = z.object({
  file: z.string(),
  line: z.int(),
  endLine: z.int(),
  side: z.enum(['new', 'old']),
  severity: z.enum(severities),
  kind: z.enum(findingKinds),
  claim: z.string(),
  quote: z.string(),
  evidence: z.string(),
  verified: z.boolean(),
  basis: z.enum(bases).optional().describe(BASIS_MEANS),
  proof: z.unknown().optional().describe('verdict, why, test.'),
  foundBy: z.array(z.object({ reviewer: z.string(), model: z.string() })),
});

const Input = z
  .object({
    prTitle: z.string().min(1).max(500).optional().describe('Needed with prDiff.'),
    prDiff: z
      .string()
      .min(1)
      .max(MAX_DIFF_CHARS)
      .optional()
      .describe('A unified diff of git. Without it, repo and prNumber are fetched.'),
    prDescription: z.string().max(50_000).optional().describe('What it is for.'),
    repo: z
      .string()
      .max(200)
      .regex(/^[A-Za-z\d][\w-]{0,99}\/(?!\.{1,2}$)[\w.-]{1,100}$/, 'must be owner/name')
      .optional()
      .describe('owner/name on GitHub.'),
    prNumber: z.int().min(1).max(1_000_000_000).optional().describe('Its number in repo.'),
    postComments: z
      .boolean()
      .default(false)
      .describe('Posts verified findings there. Needs sources.github.key.'),
  })
  .meta({ examples: [{ repo: 'octocat/hello-world', prNumber: 1 }] });

export const prReview = defineRunTool({
  name: 'pr_review',
  title: 'Review a pull request',
  description:
    'Reviews a diff, or a pull request on GitHub. Answers verified findings and a decision that follows; comments only when asked.',
  input: Input,
  output: z.object({
    decision: z.enum(['approve', 'request_changes', 'comment']),
    why: z.string(),
    summary: z.string().describe('All of it for a person, Markdown.'),
    findings: z.array(finding),
    dropped: z.array(z.object({ file: z.string(), line: z.int(), claim: z.string(), reason: z.string() })),
    droppedTotal: z.int(),
    files: z.array(z.object({ file: z.string(), level: z.string(), why: z.string() })),
    skipped: z.array(z.object({ file: z.string(), reason: z.string() })),
    unreviewed: z.array(z.object({ files: z.array(z.string()), reviewer: z.string(), reason: z.string() })),
    checks: z.array(
      z.object({ name: z.string(), status: z.string(), output: z.string(), without: z.string().optional() }),
    ),
    reviewers: z.array(z.object({ reviewer: z.string(), model: z.string() })),
    posted: z.object({ count: z.int(), url: z.string().optional() }).optional(),
  }),
  text: ({ summary }) => summary,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  needsModel: true,
  budget: 'panel',
  kind: reviewRun,
  needs: { model: { category: 'code' } },
  cap: ({ options }) => capOf(options),
  async prepare(asked, { host }: CallContext<ConsensusState>) {
    const input = await toInput(asked, host);
    return { input, title: `Review: ${input.title || `${asked.repo}#${asked.prNumber}`}` };
  },
  answer(told) {
    return {
      ...told,
      findings: told.findings.map(({ subject: _, isMoved: __, foundBy, ...rest }) => ({
        ...rest,
        foundBy: [...foundBy],
      })),
      dropped: [...told.dropped],
      droppedTotal: told.dropped.length,
      files: [...told.files],
      skipped: [...told.skipped],
      unreviewed: told.unreviewed.map(({ files, ...rest }) => ({ ...rest, files: [...files] })),
      checks: [...told.checks],
      reviewers: [...told.reviewers],
    };
  },
});

type Asked = z.output<typeof Input>;

/** @throws {ToolError} NEXUS_INVALID_ARGUMENTS for what does not go together; NEXUS_CONFIG without a token to post with */
async function toInput(
  { prTitle, prDiff, prDescription, repo, prNumber, postComments }: Asked,
  { fetching }: Pick<Host, 'fetching'>,
): Promise<ReviewInput> {
  const pullRequest = repo !== undefined && prNumber !== undefined ? { repo, number: prNumber } : undefined;
  if (prDiff !== undefined && prTitle === undefined) throw invalid('prDiff needs prTitle beside it.');
  if (prDiff === undefined && !pullRequest) {
    throw invalid(
      'Give prTitle and prDiff, or repo and prNumber, such as {"repo": "octocat/hello-world", "prNumber": 1}.',
    );
  }
  if (postComments && !pullRequest) throw invalid('postComments needs repo and prNumber to post to.');
  if (postComments && prDiff !== undefined) {
    throw invalid('postComments reviews what GitHub has: leave prDiff out.');
  }
  if (postComments && !(await fetching.status('github')).hasKey) {
    const text = `Comments can’t be posted without a token. Set "sources": { "github": { "key": "\${GITHUB_TOKEN}" } } in the config, with a token that may write pull requests; or call without postComments.`;
    throw new ToolError('NEXUS_CONFIG', text);
  }
  return {
    title: prTitle ?? '',
    description: prDescription ?? '',
    ...(prDiff === undefined ? {} : { diff: prDiff }),
    ...(pullRequest ? { pullRequest } : {}),
    postComments,
  };
}

function invalid(message: string): ToolError {
  return new ToolError('NEXUS_INVALID_ARGUMENTS', message);
}
