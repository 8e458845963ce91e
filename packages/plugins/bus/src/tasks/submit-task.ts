import type { Kysely, Transaction } from 'kysely';
import type { Bus } from '../bus.ts';
import { newId } from '../new-id.ts';
import { unknownTasks } from '../not-found.ts';
import type { BusTables } from '../tables.ts';
import { unblock } from './blocked-on.ts';
import { earlierTask, storedKey } from './earlier-task.ts';
import { needsKey } from './needs.ts';
import { findStatus } from './read-tasks.ts';
import type { Submitted, TaskRequest } from './task-request.ts';

/** Stores a task with what it needs, all or nothing. Keyed requests are stored once. */
export async function submitTask(bus: Bus, request: TaskRequest): Promise<Submitted> {
  const taskId = newId('task');
  const isNew = await bus.db.transaction().execute(async (tx) => {
    if (!(await insertTask(bus, tx, { taskId, request }))) return false;
    await insertNeeds(tx, taskId, request);
    const unknown = await findUnknown(bus, tx, request.dependsOn);
    if (unknown.length > 0) throw await unknownTasks({ ...bus, db: tx }, unknown);
    await blockNew(tx, taskId, request.dependsOn);
    return true;
  });
  if (!isNew) return earlierTask(bus, request);
  // One that was done meanwhile could not see this task, nor this its end.
  await unblock(bus.db, await findDone(bus.db, request.dependsOn));
  bus.changes.announce({ needs: [needsKey(request.capabilities)] });
  return { taskId, status: await findStatus(bus, taskId), isDuplicate: false };
}

async function insertTask(
  { name: bus, options, clock: { now } }: Bus,
  tx: Transaction<BusTables>,
  { taskId, request }: { taskId: string; request: TaskRequest },
): Promise<boolean> {
  const inserted = await tx
    .insertInto('bus_tasks')
    .values({
      bus,
      id: taskId,
      title: request.title,
      payload: JSON.stringify(request.payload),
      priority: request.priority,
      status: 'queued',
      attempts: 0,
      max_attempts: request.maxAttempts,
      timeout_ms: request.timeoutMs ?? options.leaseMs,
      available_at: now,
      created_at: now,
      idempotency_key: storedKey(request),
      label: request.label ?? null,
      needs: needsKey(request.capabilities),
    })
    .onConflict((conflict) => conflict.columns(['bus', 'idempotency_key']).doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted !== undefined;
}

async function insertNeeds(tx: Transaction<BusTables>, id: string, request: TaskRequest): Promise<void> {
  const skills = [...new Set(request.capabilities)];
  if (skills.length > 0) {
    const rows = skills.map((capability) => ({ task_id: id, capability }));
    await tx.insertInto('bus_task_capabilities').values(rows).execute();
  }
  const needs = [...new Set(request.dependsOn)];
  if (needs.length > 0) {
    const rows = needs.map((depends_on) => ({ task_id: id, depends_on }));
    await tx.insertInto('bus_task_dependencies').values(rows).execute();
  }
}

/** Those of the ids that are no task of this bus. */
export async function findUnknown(
  { name }: Bus,
  tx: Kysely<BusTables>,
  ids: readonly string[],
): Promise<readonly string[]> {
  if (ids.length === 0) return [];
  const rows = await tx
    .selectFrom('bus_tasks')
    .select('id')
    .where('bus', '=', name)
    .where('id', 'in', ids)
    .execute();
  const known = new Set(rows.map((row) => row.id));
  return ids.filter((id) => !known.has(id));
}

/** Before the first commit, so that nobody takes it meanwhile. */
async function blockNew(tx: Transaction<BusTables>, id: string, needs: readonly string[]): Promise<void> {
  if (needs.length === 0) return;
  const done = await findDone(tx, needs);
  const blocker = needs.find((each) => !done.includes(each));
  if (blocker === undefined) return;
  await tx.updateTable('bus_tasks').set({ blocked_on: blocker }).where('id', '=', id).execute();
}

/** Those of the tasks that are done. */
export async function findDone(db: Kysely<BusTables>, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('bus_tasks')
    .select('id')
    .where('id', 'in', ids)
    .where('status', '=', 'done')
    .execute();
  return rows.map(({ id }) => id);
}
