import { type CallContext, defineTool } from '@nexus/plugin-sdk';
import { z } from 'zod';
import { jobFields, jobId, shownJob } from './job-fields.ts';
import type { ObservabilityState } from './options.ts';

export const cancelJob = defineTool({
  name: 'cancel_job',
  title: 'Cancel a job',
  description: 'Ends a job that works and answers its status. What it has done by then stays done.',
  input: z.object({ jobId }),
  output: z.object(jobFields),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  budget: 'interactive',
  async call({ jobId }, { state, host, user, session }: CallContext<ObservabilityState>) {
    const isLookedAt = state.lookedAt.has(session, jobId);
    return shownJob(await host.jobs.cancel(jobId, { user, session: isLookedAt ? undefined : session.id }));
  },
});
