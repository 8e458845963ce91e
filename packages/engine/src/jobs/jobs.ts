import type { JobQueue } from '@nexus/core';
import type { Job, JobQuery, ToolCallResult } from '@nexus/plugin-sdk';
import { ToolError } from '@nexus/plugin-sdk';
import { endRun } from '../record/ending.ts';
import { ENDED } from '../record/run-database.ts';
import { waitForRun } from '../service/wait-for-run.ts';
import { resultOf } from './ending.ts';
import { jobPage } from './job-page.ts';
import { endingOfJob, toFinishedJob, toJob } from './job-view.ts';
import type { JobsEngine } from './jobs-engine.ts';
import { findJob, onRecord } from './on-record.ts';
import { startJob } from './start-job.ts';

/** Calls that outlive their connection and their server, as runs of one step. */
export function jobsOf(engine: JobsEngine): JobQueue {
  const { on, worker, changes } = engine;
  const { isThere } = worker;

  async function awaitEnd(
    jobId: string,
    wait: { signal: AbortSignal; waitMs?: number; user: string | undefined },
  ) {
    const find = () => findJob(on, jobId, wait.user);
    return waitForRun({ on, changes, isThere, find }, jobId, wait);
  }

  return {
    start: (job) => startJob(engine, job),
    async outcome(jobId, { signal, progress, user }): Promise<ToolCallResult> {
      const stop = changes.onProgress((runId, { message, done = 0, total }) => {
        if (runId !== jobId || !progress) return;
        progress({ message, progress: done, ...(total === undefined ? {} : { total }) });
      });
      try {
        const row = await awaitEnd(jobId, { signal, user });
        const ending = await endingOfJob(on, row);
        if (!ending) throw new Error(`job ${jobId} is ${row.status} and has no ending`);
        return resultOf(ending);
      } finally {
        stop();
      }
    },
    async wait(jobId, { waitMs, signal, user }) {
      return toFinishedJob(on, await awaitEnd(jobId, { signal, waitMs, user }), isThere);
    },
    async list(query) {
      return listJobs(engine, query);
    },
    page: (sessionId, cursor) => jobPage(engine, sessionId, cursor),
    async cancel(jobId, { user } = {}) {
      const { title } = await findJob(on, jobId, user);
      const error = new ToolError('NEXUS_CANCELLED', `The job of ${title} was cancelled.`);
      await on.db.transaction().execute((trx) => endRun(trx, on, jobId, { status: 'cancelled', error }));
      return toJob(await findJob(on, jobId, user), isThere);
    },
  };
}

/** Open jobs that are looked at for whether somebody runs them. */
const MAX_OPEN = 1_000;

async function listJobs(
  { on, worker }: JobsEngine,
  { status, tool, user, limit }: JobQuery,
): Promise<{ jobs: readonly Job[]; total: number }> {
  let query = on.db.selectFrom('runs_runs').where(onRecord(on));
  if (tool !== undefined) query = query.where('title', '=', tool);
  if (user !== undefined) query = query.where('user_id', '=', user);
  const isOpen = status === 'working' || status === 'queued' || status === 'input_required';
  if (isOpen) query = query.where('status', 'not in', ENDED);
  else if (status !== undefined) query = query.where('status', '=', status);
  const rows = await query
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(isOpen ? MAX_OPEN : limit)
    .execute();
  const jobs = await Promise.all(rows.map((row) => toJob(row, worker.isThere)));
  if (isOpen) {
    const found = jobs.filter((job) => job.status === status);
    return { jobs: found.slice(0, limit), total: found.length };
  }
  const { total } = await query
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return { jobs, total: Number(total) };
}
