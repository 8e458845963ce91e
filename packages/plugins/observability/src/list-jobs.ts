import { type CallContext, defineTool, fittingTwice } from '@nexus/plugin-sdk';
import { z } from 'zod';
import { jobFields, jobStatus, shownJob } from './job-fields.ts';
import type { ObservabilityState } from './options.ts';

export const listJobs = defineTool({
  name: 'list_jobs',
  title: 'List jobs',
  description:
    'Jobs on record, newest first: calls of long tools by dispatch async, idempotencyKey or MCP task, of all your sessions. Queued: no server runs it now. Results: get_job_result.',
  input: z.object({
    status: jobStatus.optional().describe('Only these.'),
    tool: z.string().max(64).optional().describe('Only calls of this tool.'),
    limit: z.int().min(1).max(200).default(20).describe('Most jobs.'),
    offset: z.int().min(0).max(1_000_000).default(0).describe('Jobs to skip.'),
  }),
  output: z.object({ jobs: z.array(z.object(jobFields)), total: z.number().int() }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  budget: 'interactive',
  async call(query, { state, host, user, session }: CallContext<ObservabilityState>) {
    const { jobs: found, total } = await host.jobs.list({ ...query, user });
    const jobs = fittingTwice(found.map(shownJob), host.results);
    state.lookedAt.add(
      session,
      jobs.map(({ jobId }) => jobId),
    );
    return { jobs, total };
  },
});
