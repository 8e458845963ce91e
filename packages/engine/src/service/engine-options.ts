import type { JobRun } from '@nexus/core';
import type { AskedQuestion, Log, Store, ToolCaller, ToolCallResult } from '@nexus/plugin-sdk';
import type { CallingStep } from '../execution/instance-services.ts';
import type { Ground } from '../ground.ts';
import type { JobInput } from '../jobs/job-run.ts';
import type { RunRetention } from '../record/forgetting.ts';
import type { RunSpansParts } from '../record/run-spans.ts';
import type { RunRow } from '../record/tables.ts';
import type { RunLimits } from '../worker/worker-options.ts';

/** What durable runs of one process need of it. */
export interface EngineOptions {
  readonly store: Store;
  readonly log: Log;
  /** Fires when the server stops: before `stop`, and before its calls end by it. */
  readonly shutdown: AbortSignal;
  /** What tells its machine from others that share the database, for people too; by default the host's name. */
  machine?(): string;
  /** Its clock, timers and chance, where they are not the machine's own. */
  readonly ground?: Ground;
  readonly limits?: RunLimits;
  /** How long a run that only waits is kept in memory. */
  readonly parkAfterMs?: number;
  /** How long a run may take from one step on record to asking for the next. */
  readonly graceMs?: number;
  /** How long ended runs stay, where the config says so. */
  readonly retention?: RunRetention;
  /** Where runs tell how they went, with a clock of epoch milliseconds; by default nowhere. */
  readonly spans?: Pick<RunSpansParts, 'spans' | 'now'>;
  /** The tools of whoever a run is for. */
  tools(run: RunRow, at: CallingStep): ToolCaller;
  /** Nothing of a run's family is in this process any more: it is over, parked, or another's. */
  onFamilyGone?(rootId: string): void;
  /**
   * Whether this process has a tool that every session has, or one of a toolbox that it could open; a job of one that
   * it has not waits for who has it.
   * @param origin as `JobInput.origin`; absent where only the name is known
   */
  hasTool?(name: string, origin?: string): boolean;
  /** Makes a call again, of a job that another server left. */
  rerun(call: JobInput, run: JobRun): Promise<ToolCallResult>;
  /** A person answered what a run asks, by whichever way in; on record by then. */
  onAnswered?(question: AskedQuestion): void;
  /** A run reads differently now. */
  onUpdated(runId: string): void;
}
