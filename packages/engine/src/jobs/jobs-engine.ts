import type { RunDatabase } from '../record/run-database.ts';
import type { Changes } from '../worker/changes.ts';
import type { Worker } from '../worker/worker.ts';

/** What jobs need of the engine that they stand on. */
export interface JobsEngine {
  readonly on: RunDatabase;
  readonly worker: Worker;
  readonly changes: Changes;
}
