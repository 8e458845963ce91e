import type {
  CallContext,
  Job,
  JobScope,
  Jobs,
  RunOfCall,
  ToolCallResult,
  Trace,
  WaitForRun,
} from '@nexus/plugin-sdk';
import type { KnownOnRecord } from '../labels/known.ts';
import type { ProgressReport } from '../timeouts/progress.ts';

/**
 * Under which key of `_meta` a callee finds what tells a repetition: the same for every time that a step of a
 * run, or a job, makes the call.
 */
export const KEY_META = 'nexus/idempotencyKey';

/** What a job's run gets in place of the caller's connection. */
export interface JobRun {
  /** Fires when the job is cancelled. */
  readonly signal: AbortSignal;
  /** The same when the call is made again for the same job: its callees can tell a repetition by it. */
  readonly idempotencyKey: string;
  /** What the call is part of, where that is told. */
  readonly trace?: Trace | undefined;
  /** Of one that is made again: what its family has come to know. */
  readonly known?: KnownOnRecord | undefined;
  /** Takes what the call would have sent to its client. */
  readonly progress: (report: ProgressReport) => void;
}

/** A checked call that is to run as a job. */
export interface JobStart {
  readonly tool: string;
  /** Of a toolbox's tool: what it is, by which a server finds it where the toolbox is not open. */
  readonly origin?: string | undefined;
  /** Without those that asked for the job: what a later server runs it with, and what a key stands for. */
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly sessionId: string;
  /** Whose call it is; absent for whoever runs as the server's own user. */
  readonly user?: string | undefined;
  /** The folders of the project, relative to it, that the call may read; undefined for all of it. */
  readonly roots?: readonly string[] | undefined;
  /** The step of a run that the call comes from: the job is that run's child. */
  readonly parent?: RunOfCall | undefined;
  /** Whether a server may run it again after the one that ran it died. */
  readonly mayRunTwice: boolean;
  /** Whether the call has begun before it is a job: a server that finds no more than the job can't say that it has not. */
  readonly isUnderWay?: boolean | undefined;
  /** What the job is part of. */
  readonly trace?: Trace | undefined;
  readonly idempotencyKey?: string | undefined;
  /** How long it is to stay on record, counted from now. */
  readonly ttlMs?: number | undefined;
  run(run: JobRun): Promise<ToolCallResult>;
}

export interface StartedJob {
  readonly job: Job;
  /** False where the key stands for a call that came before. */
  readonly isNew: boolean;
}

/** Durable calls; on record before `start` answers. */
export interface JobQueue extends Jobs {
  /** Tells a model how it gets the job's result. `waitMs`: how long it may wait at a time. */
  howToWait(jobId: string, waitMs: number): string;
  /**
   * Runs the job, or finds the one that its key stands for.
   * @throws {ToolError} NEXUS_CONFLICT when that one had other arguments
   */
  start(job: JobStart): Promise<StartedJob>;
  /**
   * What the call came to, as soon as it has.
   * @param options.isForClient whether, by then, a client is there to be told; by default one is
   * @param options.afterAnswer has it kept that the client was told, once it was
   * @param options.ask puts what its runs ask to a person who is there
   * @throws what the call threw, {ToolError} NEXUS_NOT_FOUND, NEXUS_INPUT_REQUIRED where `ask` left open all
   *   that it waits for, or the signal's reason
   */
  outcome(
    jobId: string,
    options: {
      readonly signal: AbortSignal;
      readonly progress?: JobRun['progress'] | undefined;
      readonly ask?: WaitForRun['ask'];
      readonly isForClient?: (() => boolean) | undefined;
      readonly afterAnswer?: CallContext['afterAnswer'];
    } & JobScope,
  ): Promise<ToolCallResult>;
  /**
   * The jobs that a session started, newest first, a page at a time.
   * @throws {ProtocolError} -32602 for a cursor that no page gave
   */
  page(
    sessionId: string,
    cursor?: string,
  ): Promise<{ readonly jobs: readonly Job[]; readonly nextCursor?: string }>;
}
