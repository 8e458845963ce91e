import type { Bus } from '../bus.ts';
import { listAbilities } from '../workers.ts';
import { canDo, needsKey } from './needs.ts';
import { selectTasks } from './read-tasks.ts';
import type { TaskRow } from './task-row.ts';
import type { TaskStatusName } from './task-status-name.ts';

type Task = TaskRow & { readonly now_is: TaskStatusName };

/** Of tasks that wait what they need, where no registered worker has all of it; by their ids. */
export async function findUnmet(bus: Bus, tasks: readonly Task[]): Promise<ReadonlyMap<string, string[]>> {
  const unmet = new Map<string, string[]>();
  const waiting = tasks.filter(({ now_is }) => now_is === 'queued' || now_is === 'blocked');
  if (waiting.length === 0) return unmet;
  const workers = await listAbilities(bus);
  for (const task of waiting) {
    const skills = await findSkills(bus, task);
    const isMet = skills.length === 0 || workers.some((worker) => canDo(worker, needsKey(skills)));
    if (!isMet) unmet.set(task.id, skills);
  }
  return unmet;
}

/** What an answer that leaves tasks waiting says of those that nobody can take. */
export async function unmetNote(bus: Bus, taskIds: readonly string[]): Promise<{ readonly note?: string }> {
  if (taskIds.length === 0) return {};
  const tasks = await selectTasks(bus, bus.clock.now).where('task.id', 'in', taskIds).execute();
  const idsOf = new Map<string, string[]>();
  for (const [id, skills] of await findUnmet(bus, tasks)) {
    const needs = skills.join(', ');
    idsOf.set(needs, [...(idsOf.get(needs) ?? []), id]);
  }
  const notes = [...idsOf].map(([needs, ids]) => {
    const what = taskIds.length === 1 ? 'the task' : `each of ${ids.join(', ')}`;
    return `No registered worker has all of ${needs}: ${what} waits for one that registers with them.`;
  });
  return notes.length > 0 ? { note: notes.join(' ') } : {};
}

/** What the task needs now; one that a server of a version before submitted may not have it in its row yet. */
export async function findSkills(
  { db }: Bus,
  { id, needs }: Pick<TaskRow, 'id' | 'needs'>,
): Promise<string[]> {
  if (needs !== null) return JSON.parse(needs) as string[];
  const skills = await db
    .selectFrom('bus_task_capabilities')
    .select('capability')
    .where('task_id', '=', id)
    .orderBy('capability')
    .execute();
  return skills.map((skill) => skill.capability);
}
