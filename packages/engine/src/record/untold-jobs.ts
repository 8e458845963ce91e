import { ToolError } from '@nexus/plugin-sdk';
import { sql } from 'kysely';
import { runsOfJob } from './begun-runs.ts';
import { endRun } from './ending.ts';
import { JOB_KIND } from './job-kind.ts';
import type { RunDatabase, RunTransaction } from './run-database.ts';
import type { RunRow } from './tables.ts';

/** Deaths after which a job that has only to tell what its run came to is no longer taken up at once. */
const AT_ONCE = 3;
const FIRST_PAUSE_MS = 2_000;
const LAST_PAUSE_MS = 600_000;
/** After so many it ends. Whoever wants the answer has the run. */
const MAX_UNTOLD = 20;

/** A job for whose call a run stands: all that is left of it is to wait for that, or, once it is over, to tell of it. */
export interface LeftOfJob {
  readonly jobId: string;
  readonly title: string;
  readonly runId: string;
  /** The run's end; null while it is under way. */
  readonly endedAt: number | null;
}

/** @returns undefined for what is no job, and for a job for whose call no run stands */
export async function leftOfJob(trx: RunTransaction, rootId: string): Promise<LeftOfJob | undefined> {
  const job = await trx
    .selectFrom('runs_runs')
    .select(['title', 'user_id'])
    .where('id', '=', rootId)
    .where('kind', '=', JOB_KIND)
    .executeTakeFirst();
  if (!job) return undefined;
  const runs = await runsOfJob({ db: trx }, { id: rootId, user_id: job.user_id });
  // One that is under way before those that are over.
  const at = ({ ended_at: ended }: RunRow) => (ended === null ? Number.POSITIVE_INFINITY : Number(ended));
  const [begun] = runs.toSorted((one, other) => (at(one) === at(other) ? 0 : at(other) - at(one)));
  return begun && { jobId: rootId, title: job.title, runId: begun.id, endedAt: begun.ended_at };
}

/**
 * A process has died with a job that had only to tell what its run came to. What it is to tell is on record, so that
 * is no reason to fail it: it is tried again, less and less soon, so that one that kills whoever tells it lets others
 * live meanwhile.
 */
export async function tellLater(trx: RunTransaction, on: RunDatabase, left: LeftOfJob): Promise<void> {
  const { jobId, endedAt } = left;
  // Whoever asks anew by its key has it begin anew.
  const begunAnew = sql<number>`(select coalesce(max(seq), 0) from runs_events where run_id = ${jobId} and type = 'run.restarted')`;
  const { deaths } = await trx
    .selectFrom('runs_events')
    .select(({ fn }) => fn.countAll<number>().as('deaths'))
    .where('run_id', '=', jobId)
    .where('type', '=', 'run.orphaned')
    .where('at', '>=', endedAt)
    .where('seq', '>', begunAnew)
    .executeTakeFirstOrThrow();
  const times = Number(deaths);
  if (times >= MAX_UNTOLD) {
    await endRun(trx, on, jobId, { status: 'failed', error: untold(left, times) });
    return;
  }
  if (times < AT_ONCE) return;
  const ms = Math.min(LAST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (times - AT_ONCE));
  await trx
    .updateTable('runs_runs')
    .set({ wake_at: sql<number>`${on.store.now} + ${sql.lit(ms)}` })
    .where('id', '=', jobId)
    .where('status', '=', 'queued')
    .execute();
}

function untold({ title, runId }: LeftOfJob, deaths: number): ToolError {
  return new ToolError(
    'NEXUS_CRASHED',
    `${deaths} server processes died while they were about to tell what the run of "${title}" came to. It is over, and on record: nexus://runs/${runId} and \`nexus runs ${runId}\` show it; the log says how they died.`,
    { detail: { crashes: deaths, runId } },
  );
}
