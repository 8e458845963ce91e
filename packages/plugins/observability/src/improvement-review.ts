import { type CallContext, defineTool, type Host, ToolError } from '@nexus/plugin-sdk';
import { z } from 'zod';
import type { ObservabilityState } from './options.ts';
import { fileIssues } from './review/file-issues.ts';
import { findIn } from './review/find.ts';
import { gather, timedOut, useless } from './review/gather.ts';
import { type Finding, findingKinds, RUN_URI } from './review/sample.ts';

const DAY_MS = 86_400_000;

export const improvementReview = defineTool({
  name: 'improvement_review',
  title: 'Improvement review',
  description:
    'What failed often, got slow, cost much, was sent back or judged bad, counted from audit trail and traces, with runs to look at.',
  input: z.object({
    lookbackDays: z.int().min(1).max(365).default(7).describe('How far to look back.'),
    minSampleSize: z.int().min(1).max(10_000).default(5).describe('Less says nothing.'),
    fileIssues: z.boolean().default(false).describe('File issues, where the config allows.'),
  }),
  output: z.object({
    findings: z.array(
      z.object({
        kind: z.enum(findingKinds),
        subject: z.string(),
        count: z.int(),
        of: z.int(),
        detail: z.string(),
        links: z.array(z.string()),
      }),
    ),
    total: z.int(),
    samples: z.int(),
    leftOut: z.int().optional(),
    filed: z.array(z.string()).optional(),
    known: z.array(z.string()).optional(),
  }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  budget: 'network',
  async call(
    { lookbackDays, minSampleSize, fileIssues: isToFile },
    { host, signal, state, user }: CallContext<ObservabilityState>,
  ) {
    const { repository } = state.issues;
    if (isToFile && repository === undefined) {
      throw new ToolError(
        'NEXUS_DENIED',
        'Issues are filed only where the config says so: set observability.issues.repository to owner/name. Without fileIssues the review is answered alone.',
      );
    }
    const since = Date.now() - lookbackDays * DAY_MS;
    const { samples, leftOut } = await gather(host, since);
    const all = [
      ...findIn(samples, minSampleSize),
      ...(await useless(host, since, minSampleSize)),
      ...(await timedOut(host, since, minSampleSize)),
    ];
    const findings = await Promise.all(all.map((each) => seenBy(each, host, user)));
    const told =
      isToFile && repository !== undefined
        ? await fileIssues(host.fetching, { repository, findings, days: lookbackDays, signal })
        : undefined;
    return {
      findings: findings.map(({ links, ...finding }) => ({ ...finding, links: [...links] })),
      total: findings.length,
      samples: samples.length,
      ...(leftOut > 0 ? { leftOut } : {}),
      ...(told ? { filed: [...told.filed], known: [...told.known] } : {}),
    };
  },
});

/** What is counted is of all; the runs that it names are those that this user may look at. */
async function seenBy(finding: Finding, { runs }: Host, user: string | undefined): Promise<Finding> {
  if (user === undefined) return finding;
  const isSeen = (link: string) =>
    runs.get(link.slice(RUN_URI.length), { user }).then(
      () => true,
      (error: unknown) => {
        if (error instanceof ToolError && error.code === 'NEXUS_NOT_FOUND') return false;
        throw error;
      },
    );
  const seen = await Promise.all(finding.links.map(isSeen));
  return { ...finding, links: finding.links.filter((_, at) => seen[at]) };
}
