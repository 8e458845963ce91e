import type { Dialect, JobStatus } from '@nexus/plugin-sdk';
import { type Kysely, sql } from 'kysely';
import type { RunRow, RunTables } from './tables.ts';
import { toStored } from './values.ts';

/** A job as it was kept before jobs were runs. */
interface FormerJob {
  id: string;
  tool: string;
  arguments: string;
  session_id: string;
  idempotency_key: string | null;
  may_run_twice: number;
  status: JobStatus;
  status_message: string | null;
  ending: string | null;
  created_at: number;
  updated_at: number;
  expires_at: number;
}

/** As they were then: what came later has its own default. */
type Tables = Omit<RunTables, 'runs_runs'> & {
  runs_runs: Omit<RunRow, 'crash_steps'>;
  jobs_jobs: FormerJob;
};

const FORMER = {
  sqlite: sql<object>`select 1 from sqlite_master where name = 'jobs_jobs'`,
  postgres: sql<object>`select 1 from pg_tables where tablename = 'jobs_jobs' and schemaname = current_schema()`,
} satisfies Record<Dialect, unknown>;

/**
 * Makes runs of the jobs that are on record. Their table stays, for a server of the version before that may
 * still run beside this one. One that had not ended is gone on with, or is told to be of unknown outcome.
 */
// biome-ignore lint/suspicious/noExplicitAny: as every migration
export async function takeJobsOver(db: Kysely<any>, dialect: Dialect): Promise<void> {
  const { rows } = await FORMER[dialect].execute(db);
  if (rows.length === 0) return;
  const tables = db as Kysely<Tables>;
  for (const job of await tables.selectFrom('jobs_jobs').selectAll().execute()) await takeOver(tables, job);
}

async function takeOver(db: Kysely<Tables>, job: FormerJob): Promise<void> {
  const hasEnded = job.ending !== null;
  const { tool, session_id } = job;
  const mayRunTwice = job.may_run_twice === 1;
  const input = toStored({ tool, arguments: JSON.parse(job.arguments), sessionId: session_id, mayRunTwice });
  const ending = toStored(job.ending === null ? undefined : JSON.parse(job.ending));
  const code = job.status === 'cancelled' ? 'NEXUS_CANCELLED' : (codeOf(job.ending) ?? 'NEXUS_INTERNAL');
  const error = { code, message: job.status_message ?? 'The call failed.' };
  const times = { started_at: job.created_at, ended_at: hasEnded ? job.updated_at : null };
  for (const { blob } of [input, ending]) {
    if (!blob) continue;
    await db
      .insertInto('runs_blobs')
      .values({ run_id: job.id, ...blob })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
  await db
    .insertInto('runs_runs')
    .values({
      id: job.id,
      root_id: job.id,
      parent_id: null,
      parent_step: null,
      kind: 'nexus.job',
      version: 1,
      title: tool,
      session_id,
      user_id: null,
      start_key: job.idempotency_key === null ? null : ['nexus.job', tool, job.idempotency_key].join('\n'),
      input: input.text,
      definition: null,
      rerun_of: null,
      status: hasEnded ? (job.status as 'completed') : 'queued',
      message: job.status_message,
      owner: null,
      epoch: 1,
      crashes: 0,
      wake_at: hasEnded ? null : job.created_at,
      deadline_at: null,
      output: null,
      error: hasEnded && job.status !== 'completed' ? JSON.stringify(error) : null,
      cap_tokens: null,
      cap_micros: null,
      created_at: job.created_at,
      updated_at: job.updated_at,
      ended_at: times.ended_at,
      bytes: 0,
      keep_ms: job.expires_at - job.created_at,
    })
    .execute();
  await db
    .insertInto('runs_steps')
    .values({
      run_id: job.id,
      name: 'call',
      kind: 'step',
      title: 'call',
      // Begun by a server that is gone: whoever claims it decides by whether it may be done twice.
      status: hasEnded ? 'completed' : 'running',
      attempt: 1,
      digest: null,
      is_repeatable: job.may_run_twice,
      output: ending.text,
      error: null,
      begin_seq: 2,
      end_seq: hasEnded ? 3 : null,
      child_id: null,
      wake_at: null,
      ...times,
    })
    .execute();
  const event = { run_id: job.id, step: null, attempt: null, data: null, at: job.created_at };
  await db
    .insertInto('runs_events')
    .values({ ...event, seq: 3, type: 'run.created' })
    .execute();
}

function codeOf(ending: string | null): string | undefined {
  if (ending === null) return undefined;
  const { result } = JSON.parse(ending) as { result?: { _meta?: { 'nexus/error'?: { code?: string } } } };
  return result?._meta?.['nexus/error']?.code;
}
