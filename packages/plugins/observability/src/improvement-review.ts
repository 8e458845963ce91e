import { type CallContext, defineTool, ToolError } from '@nexus/plugin-sdk';
import { z } from 'zod';
import type { ObservabilityState } from './options.ts';
import { fileIssues } from './review/file-issues.ts';
import { findIn } from './review/find.ts';
import { gather, timedOut, useless } from './review/gather.ts';
import { findingKinds } from './review/sample.ts';

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
    { host, signal, state }: CallContext<ObservabilityState>,
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
    const findings = [
      ...findIn(samples, minSampleSize),
      ...(await useless(host, since, minSampleSize)),
      ...(await timedOut(host, since, minSampleSize)),
    ];
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
