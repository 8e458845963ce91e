import { createLookedAt, definePlugin } from '@nexus/plugin-sdk';
import { cancelJob } from './cancel-job.ts';
import { getJobResult } from './get-job-result.ts';
import { improvementReview } from './improvement-review.ts';
import { listJobs } from './list-jobs.ts';
import { options } from './options.ts';
import { queryTrace } from './query-trace.ts';
import { resumeRun } from './resume-run.ts';
import { verifyAuditChain } from './verify-audit-chain.ts';

/** For whoever shows what it answers. */
export type { listJobs, queryTrace };

export default definePlugin({
  name: 'observability',
  options,
  tools: [cancelJob, getJobResult, improvementReview, listJobs, queryTrace, resumeRun, verifyAuditChain],
  start: async (chosen) => ({ ...chosen, lookedAt: createLookedAt() }),
  async stop() {},
});
