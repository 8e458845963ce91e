import { setTimeout as sleep } from 'node:timers/promises';
import type { RequestOptions } from '@nexus/client';
import { ANSWER_MS, endsWithin, isRecord, type TimedEnd } from '@nexus/core';
import type { Members } from '@nexus/core/json-rpc';
import type { Callable } from '../leases/lease.ts';

const DEFAULT_POLL_MS = 1_000;
const MIN_POLL_MS = 50;
const MAX_POLL_MS = 10_000;

/**
 * Calls a tool that runs as a task only (MCP 2025-11-25, Tasks) and waits for its result. When the caller
 * gives up, the task is cancelled.
 */
export async function callAsTask(
  connection: Callable,
  params: Members,
  {
    end,
    signal,
    onProgress,
    onId,
  }: Pick<RequestOptions, 'onProgress' | 'onId'> & { readonly end: TimedEnd; readonly signal: AbortSignal },
): Promise<Members> {
  const created = await connection.request(
    'tools/call',
    { ...params, task: {} },
    { signal: end, onProgress, onId },
  );
  // A server that answers at once has its reasons.
  if (!isRecord(created.task)) return created;
  const { taskId } = created.task;
  try {
    let task: Members = created.task;
    while (task.status === 'working') {
      await sleep(pollMs(task), undefined, { signal });
      task = await connection.request('tasks/get', { taskId }, { signal: end });
    }
    // Also of one that needs input: waiting for its result is what lets its server ask.
    return await connection.request('tasks/result', { taskId }, { signal: end });
  } catch (error) {
    if (!signal.aborted) throw error;
    connection.request('tasks/cancel', { taskId }, { signal: endsWithin(ANSWER_MS) }).catch(() => {});
    throw signal.reason;
  }
}

function pollMs({ pollInterval }: Members): number {
  const wanted = typeof pollInterval === 'number' ? pollInterval : DEFAULT_POLL_MS;
  return Math.min(MAX_POLL_MS, Math.max(MIN_POLL_MS, wanted));
}
