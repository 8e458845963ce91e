import type { RunDatabase } from '../record/run-database.ts';
import type { Telling } from '../record/told.ts';
import type { Changes } from '../worker/changes.ts';
import type { Worker } from '../worker/worker.ts';
import type { LiveCall } from './job-run.ts';

/** What jobs need of the engine that they stand on. */
export interface JobsEngine {
  readonly on: RunDatabase;
  readonly worker: Worker;
  readonly changes: Changes;
  readonly telling: Telling;
  /** The names of all kinds of run that are known here. */
  readonly kindNames: readonly string[];
  readonly liveCalls: Map<string, LiveCall>;
}
