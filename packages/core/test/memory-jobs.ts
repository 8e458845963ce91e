import { type FinishedJob, type ToolCallResult, ToolError } from '@nexus/plugin-sdk';
import type { JobQueue, JobStart } from '../src/jobs/job-queue.ts';

/** A queue that keeps its jobs in memory, as the real one does in the store, and shows how they were started. */
export function memoryJobs(): JobQueue & { readonly started: readonly JobStart[] } {
  const started: JobStart[] = [];
  const jobs: { job: FinishedJob; key: string | undefined; outcome: Promise<ToolCallResult>; end(): void }[] =
    [];
  const find = (jobId: string) => {
    const found = jobs.find(({ job }) => job.jobId === jobId);
    if (!found) throw new ToolError('NEXUS_NOT_FOUND', `no job ${jobId}`);
    return found;
  };
  return {
    started,
    howToWait: (jobId, waitMs) => `Wait ${waitMs} ms at a time for ${jobId}.`,
    async start(start) {
      const key = start.idempotencyKey && `${start.tool} ${start.idempotencyKey}`;
      const earlier = key === undefined ? undefined : jobs.find((each) => each.key === key);
      if (earlier) return { job: earlier.job, isNew: false };
      started.push(start);
      const controller = new AbortController();
      const job: FinishedJob = {
        jobId: `job_${started.length}`,
        tool: start.tool,
        status: 'working',
        createdAt: new Date().toISOString(),
        updatedAt: new Date().toISOString(),
        ttlMs: start.ttlMs ?? 1000,
      };
      const outcome = start.run({
        signal: controller.signal,
        idempotencyKey: `nx-${started.length}`,
        progress() {},
      });
      const cancelled = new ToolError('NEXUS_CANCELLED', 'The job was cancelled.');
      outcome.catch(() => {});
      jobs.push({ job, key, outcome, end: () => controller.abort(cancelled) });
      return { job, isNew: true };
    },
    outcome: (jobId) => find(jobId).outcome,
    async wait(jobId) {
      const { job, outcome } = find(jobId);
      return { ...job, status: 'completed', result: await outcome };
    },
    async list() {
      return { jobs: jobs.map(({ job }) => job), total: jobs.length };
    },
    async page() {
      return { jobs: jobs.map(({ job }) => job) };
    },
    async cancel(jobId) {
      const { job, end } = find(jobId);
      end();
      return { ...job, status: 'cancelled' };
    },
  };
}
