import { isKnownCode } from '@nexus/core';
import {
  type AskedQuestion,
  type FinishedJob,
  inputRequiredWords,
  type Job,
  type JobStatus,
} from '@nexus/plugin-sdk';
import { runsOfJob } from '../record/begun-runs.ts';
import { readError } from '../record/errors.ts';
import { familyOf } from '../record/family-of.ts';
import { CALL } from '../record/job-kind.ts';
import { notOnRecord } from '../record/not-on-record.ts';
import { openQuestions } from '../record/questions.ts';
import type { RunDatabase } from '../record/run-database.ts';
import type { RunRow } from '../record/tables.ts';
import { fromStored } from '../record/values.ts';
import { missingPlugin } from '../views/missing-plugin.ts';
import { type IsThere, isoTime, isWorking, shownStatus } from '../views/run-view.ts';
import { type Ending, errorEnding } from './ending.ts';
import type { JobsEngine } from './jobs-engine.ts';

const ABANDONED = 'No server runs it now; the next one goes on with it.';

/** One that is just begun. */
export async function toJob(row: RunRow, isThere: IsThere): Promise<Job> {
  return shownJob(row, await statusOfJob(row, isThere));
}

/** One as it is by now: where nothing of it is left to wait for but a person, that is said. */
export async function toJobNow(engine: JobsSeen, row: RunRow): Promise<Job> {
  const status = await statusOfJob(row, engine.worker.isThere);
  if (row.ended_at !== null) return shownJob(row, status);
  const begun = await runsOfJob(engine.on, row, engine.kindNames);
  const asks = await waitsFor(engine, row, begun);
  const missing = await missingOf(engine, { row, status, begun });
  if (asks.length === 0) return shownJob(row, status, missing);
  // Instead of what it said last, which it said before it was asked, or says of the time that it waits.
  return shownJob(row, 'input_required', missing ?? inputRequiredWords(asks));
}

/** What a job, or a run that it waits for, needs and no server here has. */
async function missingOf(
  { on, worker }: JobsSeen,
  { row, status, begun }: { row: RunRow; status: JobStatus; begun: readonly RunRow[] },
): Promise<string | undefined> {
  for (const run of begun) {
    const missing = await missingPlugin(on, run, await shownStatus(on, run, worker.isThere));
    if (missing !== undefined) return missing;
  }
  return missingPlugin(on, row, status === 'queued' ? 'queued' : 'running');
}

type JobsSeen = Pick<JobsEngine, 'on' | 'worker' | 'kindNames'>;

/** @param said before what it said of itself */
function shownJob(row: RunRow, status: JobStatus, said?: string): Job {
  const left = said ?? (status === 'queued' ? ABANDONED : undefined);
  const message = left ?? readError(row.error)?.message ?? row.message;
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

/** What a person is asked, where nothing of it is left to do but to wait for that. */
async function waitsFor(
  { on }: JobsSeen,
  row: RunRow,
  begun: readonly RunRow[],
): Promise<readonly AskedQuestion[]> {
  // A job that has begun runs does nothing but to wait for them.
  const roots = (begun.length === 0 ? [row] : begun).map(({ id }) => id);
  const members = (await Promise.all(roots.map((id) => familyOf(on, id)))).flat();
  const open = await openQuestions(on, members);
  return open.length === 0 || (await isWorking(on, members)) ? [] : open;
}

/** A job that no process runs is not said to work. */
async function statusOfJob({ status, owner }: RunRow, isThere: IsThere): Promise<JobStatus> {
  if (status === 'completed' || status === 'failed' || status === 'cancelled') return status;
  return owner !== null && (await isThere(owner)) ? 'working' : 'queued';
}

export async function toFinishedJob(engine: JobsSeen, row: RunRow): Promise<FinishedJob> {
  return { ...(await toJobNow(engine, row)), ...(await endingOfJob(engine.on, row)) };
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
  // Its steps go with it: it was forgotten after its row was read.
  if (row.status === 'completed' && !call) throw notOnRecord(row.id);
  const isKept = row.status !== 'cancelled' && call?.status === 'completed';
  // Written by the step, whose answer is an ending.
  if (isKept && call.output !== null) return (await fromStored(on.db, row.id, call.output)) as Ending;
  const { code, message } = readError(row.error) ?? { code: 'NEXUS_INTERNAL', message: 'The job failed.' };
  return errorEnding(isKnownCode(code) ? code : 'NEXUS_INTERNAL', message);
}
