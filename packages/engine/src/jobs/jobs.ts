import type { JobQueue } from '@nexus/core';
import type { Job, JobQuery, ToolCallResult, WaitForRun } from '@nexus/plugin-sdk';
import { inputRequired, ToolError } from '@nexus/plugin-sdk';
import { runsOfJob } from '../record/begun-runs.ts';
import { endRun } from '../record/ending.ts';
import { keepRead } from '../record/forgetting.ts';
import { ENDED } from '../record/run-database.ts';
import type { RunRow } from '../record/tables.ts';
import { toRun } from '../views/run-view.ts';
import { doorOf, waitForRun } from '../waiting/wait-for-run.ts';
import { resultOf } from './ending.ts';
import { howToWait } from './how-to-wait.ts';
import { jobPage } from './job-page.ts';
import { endingOfJob, toFinishedJob, toJob, toJobNow } from './job-view.ts';
import type { JobsEngine } from './jobs-engine.ts';
import { findJob, onRecord } from './on-record.ts';
import { startJob } from './start-job.ts';

/**
 * How long a store that is away is waited for in calls that are over after a minute: they end with its own error, which
 * says what is the matter.
 */
const LOOK_MS = 45_000;

/** Calls that outlive their connection and their server, as runs of one step. */
export function jobsOf(engine: JobsEngine): JobQueue {
  const { on, worker, changes, telling, kindNames } = engine;
  const brief = on.waiting({ forMs: LOOK_MS });
  const { isThere, follow, watch, isAtWork } = worker;

  async function awaitEnd(jobId: string, wait: Pick<WaitForRun, 'signal' | 'waitMs' | 'user' | 'ask'>) {
    const { signal, waitMs } = wait;
    const own = waitMs === undefined ? doorOf(on, wait) : on.waiting({ signal, forMs: LOOK_MS });
    const find = () => findJob(own, jobId, wait.user);
    const isStillThere = (owner: string) => own.ask(() => isThere(owner));
    const begun = (row: RunRow) => runsOfJob(own, row, kindNames);
    const row = await waitForRun(
      {
        on: own,
        changes,
        isThere: isStillThere,
        find,
        begun,
        follow,
        watch,
        isAtWork,
      },
      jobId,
      wait,
    );
    await keepRead(own, row);
    return row;
  }

  return {
    async start(job) {
      await telling.settled();
      return startJob(engine, job);
    },
    async outcome(
      jobId,
      { signal, progress, user, ask, isForClient = () => true, afterAnswer },
    ): Promise<ToolCallResult> {
      const stop = changes.onProgress((runId, { message, done = 0, total }) => {
        if (runId !== jobId || !progress) return;
        progress({ message, progress: done, ...(total === undefined ? {} : { total }) });
      });
      try {
        const row = await awaitEnd(jobId, { signal, user, ...(ask ? { ask } : {}) });
        signal.throwIfAborted();
        if (isForClient()) await telling.tell(on, row, { afterAnswer });
        const ending = await endingOfJob(doorOf(on, { signal }), row);
        if (!ending) {
          const [run = row] = await runsOfJob(on, row, kindNames);
          throw inputRequired(await toRun(on, run, isThere));
        }
        return resultOf(ending);
      } finally {
        stop();
      }
    },
    async wait(jobId, { waitMs, signal, user, toldTo }) {
      const row = await awaitEnd(jobId, { signal, waitMs, user });
      signal.throwIfAborted();
      if (toldTo) await telling.tell(brief, row, toldTo);
      return toFinishedJob({ ...engine, on: brief }, row);
    },
    async list(query) {
      return listJobs({ ...engine, on: brief }, query);
    },
    howToWait,
    page: (sessionId, cursor) => jobPage(engine, sessionId, cursor),
    async cancel(jobId, { user, session } = {}) {
      const { title, session_id } = await findJob(brief, jobId, user);
      if (session !== undefined && session !== session_id) throw notLookedAt(jobId);
      const error = new ToolError('NEXUS_CANCELLED', `The job of ${title} was cancelled.`);
      await brief.write((trx) => endRun(trx, brief, jobId, { status: 'cancelled', error }));
      return toJob(await findJob(brief, jobId, user), isThere);
    },
  };
}

function notLookedAt(jobId: string): ToolError {
  const look =
    'Look at it first in this session, by get_job_result or list_jobs, and cancel it if it is the one you mean.';
  const ends = `Where each call is a session of its own, as \`nexus call\` is, \`nexus runs cancel ${jobId}\` ends it.`;
  const text = `Another session started ${jobId}. ${look} ${ends}`;
  return new ToolError('NEXUS_PREREQUISITE', text, { detail: { missing: ['get_job_result'] } });
}

/** So many open jobs are looked at at once for whether somebody runs them. */
const OPEN_AT_ONCE = 100;

async function listJobs(
  engine: JobsEngine,
  { status, tool, user, limit, offset = 0 }: JobQuery,
): Promise<{ jobs: readonly Job[]; total: number }> {
  const { on } = engine;
  let query = on.db.selectFrom('runs_runs').where(onRecord(on));
  if (tool !== undefined) query = query.where('title', '=', tool);
  if (user !== undefined) query = query.where('user_id', '=', user);
  const isOpen = status === 'working' || status === 'queued' || status === 'input_required';
  if (isOpen) query = query.where('status', 'not in', ENDED);
  else if (status !== undefined) query = query.where('status', '=', status);
  const page = async (most: number, from: number): Promise<Job[]> => {
    const rows = await query
      .selectAll()
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(most)
      .offset(from)
      .execute();
    return Promise.all(rows.map((row) => toJobNow(engine, row)));
  };
  if (isOpen) {
    const found: Job[] = [];
    for (let from = 0; ; from += OPEN_AT_ONCE) {
      const some = await page(OPEN_AT_ONCE, from);
      found.push(...some.filter((job) => job.status === status));
      if (some.length < OPEN_AT_ONCE)
        return { jobs: found.slice(offset, offset + limit), total: found.length };
    }
  }
  const jobs = await page(limit, offset);
  const { total } = await query
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return { jobs, total: Number(total) };
}
