import { type CallContext, defineTool } from '@nexus/plugin-sdk';
import { z } from 'zod';
import { jobFields, jobId, shownJob } from './job-fields.ts';
import type { ObservabilityState } from './options.ts';
import { resultOfJob } from './result-of-job.ts';

export const getJobResult = defineTool({
  name: 'get_job_result',
  title: 'Get a job’s result',
  description:
    'A job’s status and, once it has ended, its result as the tool answers it, or its error. A job that still works is no error. Of any session.',
  input: z.object({
    jobId,
    waitMs: z.int().min(0).max(50_000).default(0).describe('Milliseconds to wait for its end.'),
  }),
  output: z.object({
    ...jobFields,
    result: z.record(z.string(), z.unknown()).optional(),
    error: z.object({ code: z.string(), message: z.string(), retryable: z.boolean() }).optional(),
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  budget: 'interactive',
  async call(
    { jobId, waitMs },
    { state, host, user, session, signal, attach, label }: CallContext<ObservabilityState>,
  ) {
    const { result, error, ...job } = await host.jobs.wait(jobId, { waitMs, signal, user });
    state.lookedAt.add(session, [jobId]);
    const shown = shownJob(job);
    if (error)
      return { ...shown, error: { code: String(error.code), message: error.message, retryable: false } };
    if (!result) return shown;
    // The job may have asked anybody, and its record does not say whom.
    label({ trust: 'untrusted' });
    const { blocks, ...answered } = resultOfJob(result);
    attach(...blocks);
    return { ...shown, ...answered };
  },
});
