import type { JobQueue, JobRun, ProgressReport } from '@nexus/core';
import { type Log, type Store, type ToolCallResult, ToolError } from '@nexus/plugin-sdk';
import { adoptJobs, type RecordedCall } from './adopt-jobs.ts';
import { changeUnfinished, findRow, onRecord, opener } from './database.ts';
import { errorEnding, resultOf } from './ending.ts';
import { jobPage } from './job-page.ts';
import { endingOfRow, isUnfinished, toFinishedJob, toJob } from './job-view.ts';
import { pause, within } from './pause.ts';
import { createRunningJobs, endedWith } from './running-jobs.ts';
import { createServerLease, LEASE_MS } from './server-lease.ts';
import { startJob } from './start-job.ts';
import type { JobRow } from './tables.ts';

/** A server that starts has its first client to answer, and the store is loaded by what needs it. */
const ADOPT_AFTER_MS = 1_000;
/** How often a job of another server is looked at by who waits for it. */
const POLL_MS = 500;

export interface JobsOptions {
  readonly store: Store;
  readonly log: Log;
  /** Makes a call again that a dead server left. */
  rerun(call: RecordedCall, run: JobRun): Promise<ToolCallResult>;
}

export interface DurableJobs extends JobQueue {
  /**
   * Takes over what dead servers left, soon and from then on. For a server that stays: one that ends
   * soon would only hand the jobs on.
   */
  adopt(): void;
  /** Waits for the jobs that the server's shutdown ended, so that they are on record as that. */
  stop(): Promise<void>;
}

/** Connects to the store with the first job, or the first question about one. */
export function createJobs({ store, log, rerun }: JobsOptions): DurableJobs {
  const open = opener(store);
  const lease = createServerLease(crypto.randomUUID());
  const running = createRunningJobs(open, lease, log);
  let adoptTimer: NodeJS.Timeout | undefined;
  let isStopped = false;

  async function mustFind(jobId: string): Promise<JobRow> {
    const row = await findRow(await open(), jobId);
    if (row) return row;
    throw new ToolError('NEXUS_NOT_FOUND', `No job ${jobId}: it never was, or its time on record is over.`);
  }

  /** The job's row as soon as it has ended, and at `until` (epoch milliseconds) at the latest. */
  async function awaitEnd(
    jobId: string,
    wait: { signal: AbortSignal; until: number; progress?: ((report: ProgressReport) => void) | undefined },
  ): Promise<JobRow> {
    for (;;) {
      wait.signal.throwIfAborted();
      const local = running.get(jobId);
      const row = await mustFind(jobId);
      const leftMs = wait.until - Date.now();
      if (!isUnfinished(row) || leftMs <= 0) return row;
      if (!local) {
        await pause(Math.min(POLL_MS, leftMs), wait.signal);
        continue;
      }
      if (wait.progress) local.listeners.add(wait.progress);
      try {
        await within(leftMs, wait.signal, local.ended);
      } finally {
        if (wait.progress) local.listeners.delete(wait.progress);
      }
    }
  }

  async function adoptNow(): Promise<void> {
    try {
      await adoptJobs({ db: await open(), lease, running, log, rerun });
    } catch (error) {
      if (!isStopped) log.warn('jobs that other servers left could not be looked for', { err: error });
    }
  }

  return {
    async start(job) {
      return startJob({ db: await open(), lease, running }, job);
    },
    async outcome(jobId, { signal, progress }) {
      const row = await awaitEnd(jobId, { signal, progress, until: Number.POSITIVE_INFINITY });
      const ending = endingOfRow(row);
      if (!ending) throw new Error(`job ${jobId} is ${row.status} and has no ending`);
      return resultOf(ending);
    },
    async wait(jobId, { waitMs, signal }) {
      return toFinishedJob(await awaitEnd(jobId, { signal, until: Date.now() + waitMs }));
    },
    async list({ status, tool, limit }) {
      const db = await open();
      let query = db.selectFrom('jobs_jobs').where(onRecord(Date.now()));
      if (status !== undefined) query = query.where('status', '=', status);
      if (tool !== undefined) query = query.where('tool', '=', tool);
      const rows = await query
        .selectAll()
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .execute();
      const { total } = await query
        .select(({ fn }) => fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow();
      return { jobs: rows.map(toJob), total: Number(total) };
    },
    async page(sessionId, cursor) {
      return jobPage(await open(), sessionId, cursor);
    },
    async cancel(jobId) {
      const db = await open();
      for (;;) {
        const row = await mustFind(jobId);
        if (!isUnfinished(row)) return toJob(row);
        const ending = errorEnding('NEXUS_CANCELLED', `The job of ${row.tool} was cancelled.`);
        const change = { ...endedWith(ending), status: 'cancelled' } as const;
        if (!(await changeUnfinished(db, row, change))) continue;
        running.get(jobId)?.end();
        return toJob({ ...row, ...change, updated_at: Date.now() });
      }
    },
    adopt() {
      if (adoptTimer || isStopped) return;
      const look = async () => {
        await adoptNow();
        if (isStopped) return;
        adoptTimer = setTimeout(look, LEASE_MS / 2);
        adoptTimer.unref();
      };
      adoptTimer = setTimeout(look, ADOPT_AFTER_MS);
      adoptTimer.unref();
    },
    async stop() {
      isStopped = true;
      clearTimeout(adoptTimer);
      await running.settled();
      if (lease.isHeld()) await lease.release(await open());
    },
  };
}
