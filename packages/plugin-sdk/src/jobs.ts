import type { WaitForRun } from './runs/runs.ts';
import type { ToolCallResult } from './tool-caller.ts';

/**
 * As a task's (MCP 2025-11-25, Tasks); the last three are terminal and never change again. `queued`: no
 * server runs it now, and the next one goes on with it.
 */
export type JobStatus = 'queued' | 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled';

/** A call of a long tool that is on record, and outlives the connection it came by. */
export interface Job {
  /** Cannot be guessed: whoever knows it may read and cancel the job. */
  readonly jobId: string;
  readonly tool: string;
  readonly status: JobStatus;
  /** For people: what it does now, or why it ended so. */
  readonly statusMessage?: string;
  /** ISO 8601, as is `updatedAt`. */
  readonly createdAt: string;
  readonly updatedAt: string;
  /** Milliseconds for which it stays on record at least, from its end or from when its answer was last asked for. */
  readonly ttlMs: number;
}

/** A job with what its call came to, once the status is terminal: one of the two. */
export interface FinishedJob extends Job {
  /** As the call would have answered; of failed calls too. */
  readonly result?: ToolCallResult;
  /** The JSON-RPC error that the call would have been answered with. */
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

export interface JobQuery {
  readonly status?: JobStatus | undefined;
  readonly tool?: string | undefined;
  /** Only those of this user; by default, of all. */
  readonly user?: string | undefined;
  readonly limit: number;
  /** How many of the newest are left out; by default, none. */
  readonly offset?: number;
}

/** Whose job it must be: for another's it is as if it were not there. By default anyone's. */
export interface JobScope {
  readonly user?: string | undefined;
}

/** The jobs of every session, on record in the store. */
export interface Jobs {
  /**
   * The job, as soon as it has ended, and after `waitMs` at the latest.
   * @throws {ToolError} NEXUS_NOT_FOUND
   */
  wait(
    jobId: string,
    options: { readonly waitMs: number; readonly signal: AbortSignal } & JobScope &
      Pick<WaitForRun, 'toldTo'>,
  ): Promise<FinishedJob>;
  /** Newest first; `total` counts those before the offset and beyond the limit too. */
  list(query: JobQuery): Promise<{ readonly jobs: readonly Job[]; readonly total: number }>;
  /**
   * Ends a job that works; one that has ended stays as it is.
   * @throws {ToolError} NEXUS_NOT_FOUND; NEXUS_PREREQUISITE for a job that another session started than `session`
   */
  cancel(jobId: string, scope?: JobScope & { readonly session?: string | undefined }): Promise<Job>;
}
