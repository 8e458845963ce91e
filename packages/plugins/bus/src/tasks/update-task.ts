import { ToolError } from '@nexus/plugin-sdk';
import type { Bus } from '../bus.ts';
import { addDependencies } from './add-dependencies.ts';
import { unblock } from './blocked-on.ts';
import { cancelTask } from './cancel-task.ts';
import { addNote } from './notes.ts';
import { findStatus, findTask } from './read-tasks.ts';
import { findDone } from './submit-task.ts';
import type { TaskStatusName } from './task-status-name.ts';

export interface TaskChange {
  readonly taskId: string;
  /** Why it is cancelled. */
  readonly cancel?: string | undefined;
  readonly priority?: number | undefined;
  readonly dependsOn?: readonly string[] | undefined;
  readonly note?: string | undefined;
}

/**
 * Changes a task, all that is asked for or nothing.
 * @param author who is named beside a note
 * @throws {ToolError} NEXUS_NOT_FOUND for tasks that are not there; NEXUS_CONFLICT where the task is too far for the
 * change; NEXUS_INVALID_ARGUMENTS for a circle of dependencies
 */
export async function updateTask(
  bus: Bus,
  { taskId, cancel, priority, dependsOn = [], note }: TaskChange,
  author: string,
): Promise<TaskStatusName> {
  await findTask(bus, taskId);
  await bus.db.transaction().execute(async (tx) => {
    const inside = { ...bus, db: tx };
    if (dependsOn.length > 0) await addDependencies(inside, taskId, dependsOn);
    if (priority !== undefined) await prioritise(inside, taskId, priority);
    if (note !== undefined) await addNote(inside, { taskId, author, body: note });
    if (cancel !== undefined) await cancelTask(inside, taskId, cancel);
  });
  // One that was done meanwhile could not see what waits for it since.
  const ready = await unblock(bus.db, await findDone(bus.db, dependsOn));
  bus.changes.announce({ needs: ready, over: cancel === undefined ? [] : [taskId] });
  return findStatus(bus, taskId);
}

async function prioritise(bus: Bus, taskId: string, priority: number): Promise<void> {
  const changed = await bus.db
    .updateTable('bus_tasks')
    .set({ priority })
    .where('id', '=', taskId)
    .where('status', '!=', 'done')
    .where('cancelled_why', 'is', null)
    .returning('id')
    .executeTakeFirst();
  if (changed) return;
  const text = `Task ${taskId} is over, so its priority means nothing any more. Nothing was changed.`;
  throw new ToolError('NEXUS_CONFLICT', text, { detail: { taskId } });
}
