import { jsonLength } from '@nexus/plugin-sdk';
import type { Bus } from '../bus.ts';
import { toMoment } from '../fields.ts';
import { newestFitting, roomIn } from '../page.ts';
import { findAttempts, findDependencies } from './describe-task.ts';
import { allNotes } from './notes.ts';
import { findTask } from './read-tasks.ts';
import type { TaskStatusName } from './task-status-name.ts';

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

/** What the record has of how a task came to where it is: the newest that fit, oldest first. @param offset newer ones to skip */
export async function taskLog(
  bus: Bus,
  id: string,
  offset: number,
): Promise<{
  readonly status: TaskStatusName;
  readonly dependsOn: readonly string[];
  readonly events: TaskEvent[];
  readonly total: number;
  /** Where there are older ones. */
  readonly nextOffset?: number;
}> {
  const row = await findTask(bus, id);
  const all = await allEvents(bus, row);
  const dependsOn = await findDependencies(bus, id);
  const room = roomIn(bus, { beside: jsonLength(dependsOn) });
  const events = newestFitting(all.toReversed().slice(offset), room);
  const next = offset + events.length;
  return {
    status: row.now_is,
    dependsOn,
    events,
    total: all.length,
    ...(events.length > 0 && next < all.length ? { nextOffset: next } : {}),
  };
}

async function allEvents(bus: Bus, row: Awaited<ReturnType<typeof findTask>>): Promise<TaskEvent[]> {
  const { lease_worker: worker, leased_at: leasedAt, acked_at: ackedAt, finished_at: finishedAt } = row;
  const attempts = await findAttempts(bus, row.id);
  const events: TaskEvent[] = [{ at: toMoment(row.created_at), state: 'submitted' }];
  for (const { worker: by, outcome, reason, startedAt, endedAt } of attempts) {
    events.push({ at: startedAt, state: 'leased', worker: by });
    events.push({ at: endedAt, state: outcome, worker: by, ...(reason === undefined ? {} : { reason }) });
  }
  if (row.status === 'leased' && worker !== null && leasedAt !== null) {
    events.push({ at: toMoment(leasedAt), state: 'leased', worker });
    if (ackedAt !== null) events.push({ at: toMoment(ackedAt), state: 'acked', worker });
  }
  if (finishedAt !== null) {
    const at = toMoment(finishedAt);
    if (row.now_is === 'dead') events.push({ at, state: 'dead' });
    const isTold = attempts.some(({ outcome, endedAt }) => outcome === 'cancelled' && endedAt === at);
    if (!isTold && row.cancelled_why !== null)
      events.push({ at, state: 'cancelled', reason: row.cancelled_why });
  }
  for (const { at, by, text } of await allNotes(bus, row.id))
    events.push({ at, state: 'noted', worker: by, reason: text });
  // Those of one moment stand as they were put.
  return events.sort((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0));
}
