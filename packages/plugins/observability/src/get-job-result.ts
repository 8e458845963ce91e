import { type CallContext, defineTool } from '@nexus/plugin-sdk';
import { z } from 'zod';
import { jobFields, jobId, shownJob } from './job-fields.ts';
import type { ObservabilityState } from './options.ts';
import { resultOfJob, saidBy } from './result-of-job.ts';

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
    besides: z.record(z.string(), z.unknown()).optional().describe('What else the result had.'),
    // With what else is known of it: its category and detail, or the data of a JSON-RPC error.
    error: z.looseObject({ code: z.string(), message: z.string(), retryable: z.boolean() }).optional(),
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  budget: 'interactive',
  async call({ jobId, waitMs }, context: CallContext<ObservabilityState>) {
    const { state, host, user, session, signal, attach, label } = context;
    const { result, error, ...job } = await host.jobs.wait(jobId, { waitMs, signal, user, toldTo: context });
    state.lookedAt.add(session, [jobId]);
    const shown = shownJob(job);
    if (error) {
      const { code, ...rest } = error;
      return saidOnce({ ...shown, error: { code: String(code), ...rest, retryable: false } });
    }
    if (!result) return shown;
    // The job may have asked anybody, and its record does not say whom.
    label({ trust: 'untrusted' });
    const { blocks, ...answered } = resultOfJob(result);
    attach(...blocks);
    return saidOnce({ ...shown, ...answered }, saidBy(result));
  },
});

/** The status message of a job that failed is the beginning of its error's. */
function saidOnce<Shown extends { statusMessage?: string; error?: { message: string } }>(
  { statusMessage, ...shown }: Shown,
  said = shown.error?.message,
) {
  const isSaid = statusMessage === undefined || (shown.error && said?.startsWith(statusMessage));
  return isSaid ? shown : { ...shown, statusMessage };
}
