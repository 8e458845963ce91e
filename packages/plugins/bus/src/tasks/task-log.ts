import type { SessionScope } from '@nexus/plugin-sdk';
import type { Bus } from '../bus.ts';
import { toMoment } from '../fields.ts';
import { describeTask } from './describe-task.ts';
import { findTask } from './read-tasks.ts';
import type { TaskView } from './task-view.ts';

/** What becomes of a task, in the words of its leases. */
export const taskEventStates = [
  'submitted',
  'leased',
  'acked',
  'done',
  'failed',
  'expired',
  'reset',
  'released',
  'handed',
  'cancelled',
  'dead',
  'noted',
] as const;

/** One change of a task's state. */
export interface TaskEvent {
  /** ISO 8601. */
  readonly at: string;
  readonly state: (typeof taskEventStates)[number];
  /** Who noted it, for a note: a worker, or a client. */
  readonly worker?: string;
  /** The text, for a note. */
  readonly reason?: string;
}

/** All that the record has of how a task came to where it is, oldest first. */
export async function taskLog(
  bus: Bus,
  id: string,
  session: SessionScope,
): Promise<{ readonly view: TaskView; readonly dependsOn: readonly string[]; readonly events: TaskEvent[] }> {
  const { view, detail } = await describeTask(bus, id, session);
  const { lease_worker: worker, leased_at: leasedAt, acked_at: ackedAt, status } = await findTask(bus, id);
  const events: TaskEvent[] = [{ at: view.createdAt, state: 'submitted' }];
  for (const { worker: by, outcome, reason, startedAt, endedAt } of detail.attempts) {
    events.push({ at: startedAt, state: 'leased', worker: by });
    events.push({ at: endedAt, state: outcome, worker: by, ...(reason === undefined ? {} : { reason }) });
  }
  if (status === 'leased' && worker !== null && leasedAt !== null) {
    events.push({ at: toMoment(leasedAt), state: 'leased', worker });
    if (ackedAt !== null) events.push({ at: toMoment(ackedAt), state: 'acked', worker });
  }
  if (view.status === 'dead' && view.finishedAt !== undefined)
    events.push({ at: view.finishedAt, state: 'dead' });
  const { cancelledWhy } = detail;
  const isTold = detail.attempts.some(
    ({ outcome, endedAt }) => outcome === 'cancelled' && endedAt === view.finishedAt,
  );
  if (!isTold && view.finishedAt !== undefined && cancelledWhy !== undefined)
    events.push({ at: view.finishedAt, state: 'cancelled', reason: cancelledWhy });
  for (const { at, by, text } of detail.notes) events.push({ at, state: 'noted', worker: by, reason: text });
  // Those of one moment stand as they were put.
  events.sort((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0));
  return { view, dependsOn: detail.dependsOn, events };
}
