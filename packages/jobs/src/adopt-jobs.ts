import type { JobRun } from '@nexus/core';
import type { Log, ToolCallResult } from '@nexus/plugin-sdk';
import { changeUnfinished, type Database, forgetExpired } from './database.ts';
import { UNFINISHED } from './job-view.ts';
import { endedWith, outcomeUnknown, type RunningJobs } from './running-jobs.ts';
import { forgetDeadServers, livingServers, type ServerLease } from './server-lease.ts';
import type { JobRow } from './tables.ts';

/** A call as it is on record, to be made again. */
export interface RecordedCall {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly sessionId: string;
}

export interface Adoption {
  readonly db: Database;
  readonly lease: ServerLease;
  readonly running: RunningJobs;
  readonly log: Log;
  rerun(call: RecordedCall, run: JobRun): Promise<ToolCallResult>;
}

/**
 * Takes the jobs that dead servers left: those that may run twice run again, of the others nobody knows.
 * Of several servers that try, one gets each job.
 */
export async function adoptJobs(adoption: Adoption): Promise<void> {
  const { db, lease } = adoption;
  await forgetExpired(db);
  const unfinished = await db
    .selectFrom('jobs_jobs')
    .selectAll()
    .where('status', 'in', UNFINISHED)
    .where(({ eb, or }) => or([eb('server_id', 'is', null), eb('server_id', '!=', lease.serverId)]))
    .execute();
  if (unfinished.length > 0) {
    await lease.hold(db);
    const living = await livingServers(db);
    const left = unfinished.filter(({ server_id }) => server_id === null || !living.has(server_id));
    for (const row of left) await adopt(adoption, row);
  }
  await forgetDeadServers(db);
}

async function adopt({ db, lease, running, log, rerun }: Adoption, row: JobRow): Promise<void> {
  const mayRunTwice = row.may_run_twice === 1;
  const change = mayRunTwice ? { server_id: lease.serverId } : endedWith(outcomeUnknown());
  if (!(await changeUnfinished(db, row, change))) return;
  log.info(mayRunTwice ? 'a job runs again: its server died' : 'a job was lost: its server died', {
    job: row.id,
    tool: row.tool,
  });
  if (!mayRunTwice) return;
  const call = { tool: row.tool, arguments: JSON.parse(row.arguments), sessionId: row.session_id };
  running.begin({ id: row.id, mayRunTwice }, (run) => rerun(call, run));
}
