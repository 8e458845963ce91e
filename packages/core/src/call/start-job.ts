import type { ToolCallResult } from '@nexus/plugin-sdk';
import type { JobQueue, JobRun, JobStart, StartedJob } from '../jobs/job-queue.ts';
import { mayRunTwice } from '../registry/may-run-twice.ts';
import { inScope } from '../session/session-scope.ts';
import { type Call, jobCall } from './call.ts';

/** What jobs are started on. */
export interface JobStarts {
  readonly jobs: JobQueue;
  /** False for a tool of its session alone, which a later server finds only by its origin. */
  isShared(call: Call): boolean;
  /** A call's whole way. */
  dispatch(call: Call): Promise<ToolCallResult>;
}

export interface CallAsJob {
  /** Without those that asked for the job. */
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly idempotencyKey: string | undefined;
  readonly ttlMs?: number | undefined;
  /** What the run of the job has in place of the connection. */
  connection(run: JobRun): Pick<Call, 'progress' | 'ask'>;
}

/**
 * Puts a call on record as a job, whose run is a call again: by its lifetime, not its client's.
 * @throws {ToolError} NEXUS_CONFLICT when its key stands for another call
 */
export function startJob(
  call: Call,
  starts: JobStarts,
  { connection, ...asJob }: CallAsJob,
): Promise<StartedJob> {
  const { caller } = call;
  return startJobOf(call, starts, {
    ...asJob,
    // What it opens goes with it: its session may be gone long before it.
    run: (run) =>
      inScope({ id: caller.session.id, outer: () => caller.session }, (session) =>
        starts.dispatch(jobCall(call, run, { ...connection(run), caller: { ...caller, session } })),
      ),
  });
}

/** The same of a call that runs already. */
export async function startJobOf(
  call: Call,
  { jobs, isShared }: JobStarts,
  asJob: Omit<CallAsJob, 'connection'> & Pick<JobStart, 'isUnderWay' | 'run'>,
): Promise<StartedJob> {
  const { tool, caller } = call;
  return jobs.start({
    ...asJob,
    tool: tool.name,
    origin: tool.origin,
    sessionId: caller.session.id,
    user: caller.user,
    roots: await caller.narrowed?.(),
    parent: call.run,
    trace: call.trace,
    mayRunTwice: (tool.origin !== undefined || isShared(call)) && mayRunTwice(tool),
  });
}
