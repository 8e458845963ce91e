import { definePlugin } from '@nexus/plugin-sdk';
import { z } from 'zod';
import { cancelJob } from './cancel-job.ts';
import { getJobResult } from './get-job-result.ts';
import { listJobs } from './list-jobs.ts';
import { queryTrace } from './query-trace.ts';
import { resumeRun } from './resume-run.ts';
import { verifyAuditChain } from './verify-audit-chain.ts';

/** For whoever shows what it answers. */
export type { listJobs, queryTrace };

export default definePlugin({
  name: 'observability',
  options: z.strictObject({}),
  tools: [cancelJob, getJobResult, listJobs, queryTrace, resumeRun, verifyAuditChain],
  async start() {},
  async stop() {},
});
