import { createHash } from 'node:crypto';
import type { Log, Store } from '@nexus/plugin-sdk';
import type { SchedulePart } from '../trust/schedule-part.ts';
import { type DueTimes, dueTimes, type Schedule } from './due-times.ts';
import { LOOK_MS } from './look-again.ts';
import { moveOn, openSchedules, rowOf } from './schedule-record.ts';

/** A workflow of the project as `list_workflows` shows it. */
export interface ScheduledWorkflow {
  readonly file: string;
  /** Of its text. */
  readonly digest: string;
  readonly kind: 'workflow' | 'graph';
  readonly schedule: Schedule;
}

export interface Scheduling {
  readonly store: Store;
  readonly log: Log;
  /** Files with a schedule that the user trusts as they stand. */
  readonly trusted: readonly Pick<SchedulePart, 'file' | 'digest'>[];
  /** All workflows with a schedule, whosever trust they have. */
  list(): Promise<readonly ScheduledWorkflow[]>;
  /** Starts a run of just that text, or finds the one that was started under the key. */
  start(workflow: ScheduledWorkflow, key: string): Promise<void>;
}

/** A timer is early by a little. */
const LATE_MS = 50;

/**
 * Begins what is due, as any server of the project does that is up: each time once over all of them, for the run's
 * key is the file and the time.
 * @returns milliseconds until it is to be looked again
 */
export async function beginDue(options: Scheduling): Promise<number> {
  const trusted = new Map(options.trusted.map(({ file, digest }) => [file, digest]));
  const { store } = options;
  const db = await openSchedules(store);
  let pauseMs = LOOK_MS;
  for (const workflow of await options.list()) {
    // Read after the trust was asked for: it may be another by now.
    if (trusted.get(workflow.file) !== workflow.digest) continue;
    const before = await rowOf(db, store, workflow.file);
    const now = await store.readNow(db);
    const due = dueTimes(workflow.schedule, before.slot, now);
    if (due.next !== undefined) pauseMs = Math.min(pauseMs, Math.max(0, due.next - now) + LATE_MS);
    if (due.slot === undefined) continue;
    // First the run, found again by its key: a server that dies in between leaves the time to the next.
    if (due.isToRun) await options.start(workflow, keyOf(workflow.file, due.slot));
    const { slot, missed, isToRun: isRun } = due;
    if (await moveOn(db, store, { before, slot, missed, isRun })) tell(options.log, workflow, due);
  }
  return pauseMs;
}

/** Short, whatever the file's name. */
function keyOf(file: string, slot: number): string {
  const digest = createHash('sha256').update(file).digest('hex').slice(0, 32);
  return `schedule ${digest} ${new Date(slot).toISOString()}`;
}

function tell(log: Log, { file }: ScheduledWorkflow, { slot = 0, isToRun, missed }: DueTimes): void {
  const at = new Date(slot).toISOString();
  if (isToRun) log.info('a workflow was begun by its schedule', { file, at });
  if (missed > 0) log.warn('times of a schedule came while no server was there', { file, missed, last: at });
}
