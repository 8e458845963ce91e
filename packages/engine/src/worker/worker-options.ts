import type { Log } from '@nexus/plugin-sdk';
import type { InstanceServices } from '../execution/instance-services.ts';
import type { RunRetention } from '../record/forgetting.ts';
import type { RunDatabase } from '../record/run-database.ts';
import type { Changes } from './changes.ts';
import type { Kinds } from './kinds.ts';

export interface WorkerOptions {
  readonly on: RunDatabase;
  readonly kinds: Kinds;
  readonly changes: Changes;
  readonly log: Log;
  readonly shutdown: AbortSignal;
  readonly parkAfterMs?: number | undefined;
  readonly graceMs?: number | undefined;
  readonly retention?: RunRetention | undefined;
  readonly limits?: RunLimits | undefined;
  tools: InstanceServices['tools'];
  readonly onFamilyGone: ((rootId: string) => void) | undefined;
}

/** How many runs may go on at a time, each with all that is below it. What is beyond waits on record. */
export interface RunLimits {
  readonly runsPerProcess?: number | undefined;
  /** In all processes of a project together. */
  readonly runsPerProject?: number | undefined;
}
