import { type CallContext, ToolError } from '@nexus/plugin-sdk';
import type { Bus } from '../bus.ts';
import { toMoment } from '../fields.ts';
import { type Caller, isHolder } from '../session-holds.ts';
import { isOwn } from '../workers.ts';
import { expireLeases } from './expire-leases.ts';
import { outcomeOf } from './outcomes.ts';
import type { TaskRow } from './task-row.ts';

/** The lease's last word, once it is over. */
export async function findAttempt({ db }: Bus, leaseId: string) {
  const row = await db
    .selectFrom('bus_attempts')
    .selectAll()
    .where('lease_id', '=', leaseId)
    .executeTakeFirst();
  return row && { ...row, outcome: outcomeOf(row) };
}

/** The task, if the lease still holds it. */
export function findLive({ db, name, clock }: Bus, leaseId: string): Promise<TaskRow | undefined> {
  return db
    .selectFrom('bus_tasks')
    .selectAll()
    .where('bus', '=', name)
    .where('lease_id', '=', leaseId)
    .where('status', '=', 'leased')
    .where('lease_expires_at', '>', clock.now)
    .executeTakeFirst();
}

/**
 * A lease is its holder's, whoever else has its id in hand: the session that took it, or one that goes by its
 * worker's name, as that of a program that was started again does. So it is until the task is taken again.
 * @throws {ToolError} NEXUS_NOT_FOUND for another user's, as for one that never was; NEXUS_CONFLICT for another session's
 */
export async function assertOwnLease(
  bus: Bus,
  leaseId: string,
  caller: Caller & Pick<CallContext, 'user'>,
): Promise<void> {
  const { user } = caller;
  const task = await bus.db
    .selectFrom('bus_tasks')
    .selectAll()
    .where('bus', '=', bus.name)
    .where('lease_id', '=', leaseId)
    .executeTakeFirst();
  const name =
    task?.lease_worker ?? (user === undefined ? undefined : (await findAttempt(bus, leaseId))?.worker);
  if (typeof name !== 'string') return;
  if (!(await isOwn(bus, { name, user }))) throw unknownLease(leaseId);
  // One that a server of a version before gave out has no holder, and one that is over without its task is nobody's.
  if (!task || task.holder_lease !== task.lease_id) return;
  if (!isHolder(caller, task) && !bus.pollers.goesBy(name, caller)) throw anothersLease(task, name);
}

function anothersLease({ id, title, lease_id: leaseId }: TaskRow, worker: string): ToolError {
  const text = `Lease ${leaseId} on task ${id} ("${title}") is worker "${worker}"’s, which took it in another session, and nothing was done. If "${worker}" is you, call register_worker with that name in this session, then this again. What a worker holds that hangs or died goes back by reset_worker.`;
  return new ToolError('NEXUS_CONFLICT', text, { detail: { taskId: id, holder: worker } });
}

/** Why a lease gives no right to its task any more, and who has it now. */
export async function lostLease(bus: Bus, leaseId: string): Promise<ToolError> {
  await expireLeases(bus);
  const attempt = await findAttempt(bus, leaseId);
  const task =
    attempt &&
    (await bus.db
      .selectFrom('bus_tasks')
      .selectAll()
      .where('bus', '=', bus.name)
      .where('id', '=', attempt.task_id)
      .executeTakeFirst());
  if (!attempt || !task) return unknownLease(leaseId);
  const ended = `Lease ${leaseId} on task ${task.id} ("${task.title}") ended at ${toMoment(attempt.ended_at)}: ${attempt.outcome}.`;
  const holder = task.status === 'leased' ? task.lease_worker : null;
  const detail = { taskId: task.id, status: task.status, outcome: attempt.outcome, holder };
  return new ToolError('NEXUS_CONFLICT', `${ended} ${present(task)} Nothing was changed.`, { detail });
}

function present(task: TaskRow): string {
  if (task.status === 'leased' && task.lease_expires_at !== null) {
    return `${task.lease_worker} holds the task now, until ${toMoment(task.lease_expires_at)}; stop working on it.`;
  }
  if (task.status === 'queued')
    return 'Nobody holds the task now, it is queued again: poll_task may give it back.';
  if (task.status === 'done') return `The task is done, by ${task.lease_worker}.`;
  if (task.cancelled_why !== null)
    return `The task was cancelled (${task.cancelled_why}); stop working on it.`;
  return 'The task is a dead letter; retry_task queues it again.';
}

function unknownLease(leaseId: string): ToolError {
  const text = `No lease "${leaseId}" on the bus. Give the leaseId that poll_task answered with the task.`;
  return new ToolError('NEXUS_NOT_FOUND', text, { detail: { leaseId } });
}
