import { isKnownCode } from '@nexus/core';
import type { FinishedJob, Job, JobStatus } from '@nexus/plugin-sdk';
import { readError } from '../record/errors.ts';
import type { RunDatabase } from '../record/run-database.ts';
import type { RunRow } from '../record/tables.ts';
import { fromStored } from '../record/values.ts';
import { type IsThere, isoTime } from '../views/run-view.ts';
import { type Ending, errorEnding } from './ending.ts';
import { CALL } from './job-run.ts';

const ABANDONED = 'No server runs it now; the next one goes on with it.';

export async function toJob(row: RunRow, isThere: IsThere): Promise<Job> {
  const status = await statusOfJob(row, isThere);
  const message = status === 'queued' ? ABANDONED : (readError(row.error)?.message ?? row.message);
  return {
    jobId: row.id,
    tool: row.title,
    status,
    ...(message === null ? {} : { statusMessage: message.slice(0, 500) }),
    createdAt: isoTime(row.created_at),
    updatedAt: isoTime(row.updated_at),
    ttlMs: row.keep_ms,
  };
}

/** A job that no process runs is not said to work. */
async function statusOfJob({ status, owner }: RunRow, isThere: IsThere): Promise<JobStatus> {
  if (status === 'completed' || status === 'failed' || status === 'cancelled') return status;
  return owner !== null && (await isThere(owner)) ? 'working' : 'queued';
}

export async function toFinishedJob(on: RunDatabase, row: RunRow, isThere: IsThere): Promise<FinishedJob> {
  return { ...(await toJob(row, isThere)), ...(await endingOfJob(on, row)) };
}

/** What the call came to, or what kept it from coming to anything; undefined while it has not ended. */
export async function endingOfJob(on: RunDatabase, row: RunRow): Promise<Ending | undefined> {
  if (row.ended_at === null) return undefined;
  const call = await on.db
    .selectFrom('runs_steps')
    .select(['status', 'output'])
    .where('run_id', '=', row.id)
    .where('name', '=', CALL)
    .executeTakeFirst();
  const isKept = row.status !== 'cancelled' && call?.status === 'completed';
  // Written by the step, whose answer is an ending.
  if (isKept && call.output !== null) return (await fromStored(on.db, row.id, call.output)) as Ending;
  const { code, message } = readError(row.error) ?? { code: 'NEXUS_INTERNAL', message: 'The job failed.' };
  return errorEnding(isKnownCode(code) ? code : 'NEXUS_INTERNAL', message);
}
