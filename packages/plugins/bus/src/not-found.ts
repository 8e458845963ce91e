import { nearestNames, ToolError } from '@nexus/plugin-sdk';
import { ID_SORTS, otherSort } from '@nexus/primitives';
import type { Bus } from './bus.ts';

/** How many names are compared with a mistyped one. */
const COMPARED = 1_000;
const SHOWN = 3;

/** NEXUS_NOT_FOUND for a worker, with the names it may have been and how to make it one. */
export async function unknownWorker(bus: Bus, name: string): Promise<ToolError> {
  const nearest = await nearestWorkers(bus, name);
  const text = `No worker "${name}" on the bus.${didYouMean(nearest)} A worker exists once register_worker or poll_task was called with its name.`;
  return new ToolError('NEXUS_NOT_FOUND', text, { detail: { worker: name, nearest } });
}

/** Other workers whose names are near this one, nearest first. */
async function nearestWorkers(bus: Bus, name: string): Promise<string[]> {
  const rows = await bus.db
    .selectFrom('bus_workers')
    .select('name')
    .where('bus', '=', bus.name)
    .where('name', '!=', name)
    .orderBy('last_seen_at', 'desc')
    .limit(COMPARED)
    .execute();
  return nearestNames(
    name,
    rows.map((row) => row.name),
  );
}

/** NEXUS_NOT_FOUND for one or more tasks. */
export async function unknownTasks(bus: Bus, ids: readonly string[]): Promise<ToolError> {
  const rows = await bus.db
    .selectFrom('bus_tasks')
    .select('id')
    .where('bus', '=', bus.name)
    .orderBy('seq', 'desc')
    .limit(COMPARED)
    .execute();
  const known = rows.map((row) => row.id);
  const nearest = [...new Set(ids.flatMap((id) => nearestNames(id, known)))].slice(0, SHOWN);
  const others = ids.flatMap((id) => otherSort(id, ID_SORTS.task) ?? []);
  if (others.length > 0)
    return new ToolError('NEXUS_NOT_FOUND', others.join(' '), { detail: { taskIds: ids } });
  const text = `No task ${ids.map((id) => `"${id}"`).join(', ')} on the bus.${didYouMean(nearest)} submit_task answers a task's id; task_status lists them.`;
  return new ToolError('NEXUS_NOT_FOUND', text, { detail: { taskIds: ids, nearest } });
}

function didYouMean(nearest: readonly string[]): string {
  return nearest.length === 0 ? '' : ` Did you mean ${nearest.join(' or ')}?`;
}
