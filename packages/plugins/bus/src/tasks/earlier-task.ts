import { isDeepStrictEqual } from 'node:util';
import { ToolError } from '@nexus/plugin-sdk';
import type { Bus } from '../bus.ts';
import { findStatus } from './read-tasks.ts';
import type { Submitted, TaskRequest } from './task-request.ts';
import type { TaskRow } from './task-row.ts';

type Asked = Omit<Required<TaskRequest>, 'idempotencyKey' | 'label'>;

/** A key as it is stored: the same key under two labels is two. */
export function storedKey({ label, idempotencyKey }: TaskRequest): string | null {
  if (idempotencyKey === undefined) return null;
  // A key that looks like one with a label is kept apart from it.
  const isPlain = label === undefined && !idempotencyKey.startsWith('[');
  return isPlain ? idempotencyKey : JSON.stringify([label ?? null, idempotencyKey]);
}

/**
 * The task that the request's key stands for.
 * @throws {ToolError} NEXUS_CONFLICT when that one asks for something else
 */
export async function earlierTask(bus: Bus, request: TaskRequest): Promise<Submitted> {
  const task = await bus.db
    .selectFrom('bus_tasks')
    .selectAll()
    .where('bus', '=', bus.name)
    .where('idempotency_key', '=', storedKey(request) ?? '')
    .executeTakeFirstOrThrow();
  const before = await askedBefore(bus, task);
  const now = askedNow(bus, request);
  const keys = Object.keys(now) as (keyof Asked)[];
  const differs = keys.filter((key) => !isDeepStrictEqual(before[key], now[key]));
  if (differs.length === 0) {
    return { taskId: task.id, status: await findStatus(bus, task.id), isDuplicate: true };
  }
  const text = `idempotencyKey "${request.idempotencyKey}" belongs to task ${task.id} ("${task.title}"), which has another ${differs.join(', ')}. Use a new key for a new task.`;
  throw new ToolError('NEXUS_CONFLICT', text, { detail: { taskId: task.id, differs } });
}

async function askedBefore({ db }: Bus, task: TaskRow): Promise<Asked> {
  const skills = await db
    .selectFrom('bus_task_capabilities')
    .select('capability')
    .where('task_id', '=', task.id)
    .execute();
  const needs = await db
    .selectFrom('bus_task_dependencies')
    .select('depends_on')
    .where('task_id', '=', task.id)
    .execute();
  return {
    title: task.title,
    payload: JSON.parse(task.payload),
    priority: task.priority,
    capabilities: skills.map((row) => row.capability).sort(),
    dependsOn: needs.map((row) => row.depends_on).sort(),
    maxAttempts: task.max_attempts,
    timeoutMs: task.timeout_ms,
  };
}

function askedNow({ options }: Bus, { idempotencyKey: _, label: __, ...request }: TaskRequest): Asked {
  return {
    ...request,
    payload: JSON.parse(JSON.stringify(request.payload)),
    capabilities: [...new Set(request.capabilities)].sort(),
    dependsOn: [...new Set(request.dependsOn)].sort(),
    timeoutMs: request.timeoutMs ?? options.leaseMs,
  };
}
