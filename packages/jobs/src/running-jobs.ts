import type { JobRun, ProgressReport } from '@nexus/core';
import { type Log, type ToolCallResult, ToolError } from '@nexus/plugin-sdk';
import { changeUnfinished, type Database, type Held } from './database.ts';
import { codeOf, type Ending, endingOf, errorEnding, messageOf, statusOf } from './ending.ts';
import { UNFINISHED } from './job-view.ts';
import { HEARTBEAT_MS, type ServerLease } from './server-lease.ts';

const MAX_STATUS_MESSAGE_CHARS = 500;

/** A job that this server runs. */
export interface RunningJob {
  /** Resolves when its ending is on record, or it was left to the next server. */
  readonly ended: Promise<void>;
  readonly listeners: Set<(report: ProgressReport) => void>;
  end(): void;
}

export interface RunningJobs {
  get(jobId: string): RunningJob | undefined;
  /** Runs a job that is on record as this server's. */
  begin(job: { id: string; mayRunTwice: boolean }, run: (run: JobRun) => Promise<ToolCallResult>): void;
  /** Resolves when none runs any more. */
  settled(): Promise<void>;
}

interface Entry extends RunningJob {
  unsaved: string | undefined;
}

export function createRunningJobs(open: () => Promise<Database>, lease: ServerLease, log: Log): RunningJobs {
  const running = new Map<string, Entry>();
  let timer: NodeJS.Timeout | undefined;

  async function finish(held: Held, ending: Ending, mayRunTwice: boolean): Promise<void> {
    const db = await open();
    if (codeOf(ending) === 'NEXUS_SHUTTING_DOWN') return leave(db, held, mayRunTwice);
    await changeUnfinished(db, held, endedWith(ending));
  }

  /** Renews the lease, ends what another server cancelled or took, and saves what jobs say of themselves. */
  async function beat(): Promise<void> {
    try {
      const db = await open();
      await lease.hold(db);
      const own = await db
        .selectFrom('jobs_jobs')
        .select('id')
        .where('server_id', '=', lease.serverId)
        .where('status', 'in', UNFINISHED)
        .execute();
      const ours = new Set(own.map(({ id }) => id));
      for (const [id, job] of running) {
        const { unsaved } = job;
        if (!ours.has(id)) job.end();
        else if (unsaved !== undefined) {
          job.unsaved = undefined;
          await changeUnfinished(db, { id, server_id: lease.serverId }, { status_message: unsaved });
        }
      }
    } catch (error) {
      log.warn('the lease of running jobs could not be renewed', { err: error });
    }
  }

  return {
    get: (jobId) => running.get(jobId),
    begin({ id, mayRunTwice }, run) {
      const controller = new AbortController();
      const listeners = new Set<(report: ProgressReport) => void>();
      const progress = (report: ProgressReport) => {
        entry.unsaved = report.message?.slice(0, MAX_STATUS_MESSAGE_CHARS) ?? entry.unsaved;
        for (const listener of listeners) listener(report);
      };
      const conclude = async () => {
        const ending = await endingOf(run({ signal: controller.signal, progress }));
        try {
          await finish({ id, server_id: lease.serverId }, ending, mayRunTwice);
        } catch (error) {
          log.error('the outcome of a job could not be recorded', { job: id, err: error });
          throw error;
        } finally {
          running.delete(id);
          if (running.size === 0) clearInterval(timer);
        }
      };
      if (running.size === 0) {
        timer = setInterval(() => void beat(), HEARTBEAT_MS);
        timer.unref();
      }
      const ended = conclude();
      ended.catch(() => {});
      const end = () => controller.abort(new ToolError('NEXUS_CANCELLED', 'The job was cancelled.'));
      const entry: Entry = { ended, listeners, end, unsaved: undefined };
      running.set(id, entry);
    },
    async settled() {
      await Promise.allSettled([...running.values()].map(({ ended }) => ended));
    },
  };
}

/** The columns of a job that has ended. */
export function endedWith(ending: Ending) {
  const message = messageOf(ending)?.slice(0, MAX_STATUS_MESSAGE_CHARS) ?? null;
  return { status: statusOf(ending), status_message: message, ending: JSON.stringify(ending) };
}

/** A job that its server can't finish: the next runs it again, or says that nobody knows. */
async function leave(db: Database, held: Held, mayRunTwice: boolean): Promise<void> {
  await changeUnfinished(db, held, mayRunTwice ? { server_id: null } : endedWith(outcomeUnknown()));
}

export function outcomeUnknown(): Ending {
  return errorEnding(
    'NEXUS_OUTCOME_UNKNOWN',
    'The server that ran this job ended before the job did, and running it again could do the work twice. Look at its effect first.',
  );
}
