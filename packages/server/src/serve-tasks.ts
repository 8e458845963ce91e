import {
  type Caller,
  type CallRequest,
  type Dispatcher,
  invalidParams,
  isRecord,
  type JobQueue,
} from '@nexus/core';
import type { Members } from '@nexus/core/json-rpc';
import { isToolError, type Job, type WaitForRun } from '@nexus/plugin-sdk';
import type { RequestsOfCall } from './client-requests.ts';
import type { RequestExtra } from './handler.ts';
import type { ProgressSender } from './progress-sender.ts';
import type { ResultLimiter } from './results/result-limiter.ts';

/** The key of a result's task in `_meta` (MCP 2025-11-25, Tasks). */
const RELATED_TASK = 'io.modelcontextprotocol/related-task';
/** How often a client is asked to poll. */
const POLL_INTERVAL_MS = 1_000;

export const TASKS_CAPABILITY = { list: {}, cancel: {}, requests: { tools: { call: {} } } } as const;

type Params = Readonly<Record<string, unknown>>;

/**
 * `tasks/…` (MCP 2025-11-25, Tasks), on the jobs that every way to start one shares. A task's id can't be
 * guessed, and is all that its user needs to read or cancel it: so it outlives its session. Only a session's
 * own are listed.
 */
export function serveTasks({
  mayCall,
  jobs,
  caller,
  limit,
  ask,
}: {
  mayCall: boolean;
  jobs: JobQueue;
  caller: Caller;
  limit: ResultLimiter;
  /** The client, asked in the course of a request. */
  ask(requestId: string | number): RequestsOfCall;
}) {
  const { user } = caller;
  const find = (id: string) => findJob(jobs, id, user);
  return {
    'tasks/get': async (params: Params) => toTask(await find(taskId(params))),
    // Who waits for the result is asked what the task waits for (MCP 2025-11-25, Tasks, Input Required Status).
    'tasks/result': async (params: Params, request: RequestExtra) => {
      const { end, requestId } = request;
      const id = taskId(params);
      const { tool } = await find(id);
      const client = ask(requestId);
      const outcome = await jobs.outcome(id, {
        signal: end.signal,
        user,
        afterAnswer: (work) => request.afterAnswer(work),
        // An answer is a call's doing: a token that may only look gives none.
        ...(mayCall && client.hasForms ? { ask: askedFor(client, { [RELATED_TASK]: { taskId: id } }) } : {}),
      });
      const result = await limit(outcome, tool);
      return { ...result, _meta: { ...result._meta, [RELATED_TASK]: { taskId: id } } };
    },
    'tasks/list': async ({ cursor }: Params) => {
      const page = await jobs.page(caller.session.id, typeof cursor === 'string' ? cursor : undefined);
      const { nextCursor } = page;
      return { tasks: page.jobs.map(toTask), ...(nextCursor === undefined ? {} : { nextCursor }) };
    },
    'tasks/cancel': async (params: Params) => {
      if (!mayCall) throw invalidParams('Your token may look and not call, nor end what was called');
      const { jobId, status } = await find(taskId(params));
      if (status === 'completed' || status === 'failed' || status === 'cancelled') {
        throw invalidParams(`Task ${jobId} has ended already: it is ${status}`);
      }
      return toTask(await jobs.cancel(jobId, { user }));
    },
  };
}

/** A dialogue that was closed leaves the question open, and the result is waited for: it may be answered elsewhere. */
function askedFor(client: RequestsOfCall, meta: Members): NonNullable<WaitForRun['ask']> {
  return async (question, signal) => {
    const answer = await client.answer(question, signal, meta).catch(() => undefined);
    if (!answer && !signal.aborted) {
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    }
    return answer;
  };
}

/**
 * Answers a call that asks for a task, as soon as the task is on record.
 * @throws {ProtocolError} -32601 where the tool offers none
 */
export async function createTask(
  { dispatcher, caller }: { dispatcher: Dispatcher; caller: Caller },
  request: CallRequest,
  progress: ReturnType<ProgressSender>,
): Promise<Record<string, unknown>> {
  const { task, ...params } = request.params;
  const ttl = isRecord(task) ? task.ttl : undefined;
  if (ttl !== undefined && ttl !== null && !(typeof ttl === 'number' && ttl >= 0 && ttl < Infinity)) {
    throw invalidParams('task.ttl must be a number of milliseconds, 0 or more');
  }
  const ttlMs = typeof ttl === 'number' ? ttl : undefined;
  let related: Readonly<Record<string, unknown>> | undefined;
  const call: CallRequest = {
    ...request,
    params,
    // What comes before the client knows the task would say nothing to it.
    progress: progress && ((report) => related && progress({ ...report, _meta: related })),
  };
  try {
    const task = toTask(await dispatcher.startTask(caller, call, ttlMs));
    related = { [RELATED_TASK]: { taskId: task.taskId } };
    return { task };
  } catch (error) {
    throw isToolError(error) ? invalidParams(error.message, { code: error.code }) : error;
  }
}

function toTask({ jobId, status, statusMessage, createdAt, updatedAt, ttlMs }: Job) {
  return {
    taskId: jobId,
    // The protocol has no word for one that waits for a server; its message says so.
    status: status === 'queued' ? ('working' as const) : status,
    ...(statusMessage === undefined ? {} : { statusMessage }),
    createdAt,
    lastUpdatedAt: updatedAt,
    ttl: ttlMs,
    pollInterval: POLL_INTERVAL_MS,
  };
}

function taskId({ taskId }: Params): string {
  if (typeof taskId !== 'string') throw invalidParams('taskId must be a string');
  return taskId;
}

/** @throws {ProtocolError} -32602 for a task that is not there */
async function findJob(jobs: JobQueue, id: string, user: string | undefined): Promise<Job> {
  try {
    return await jobs.wait(id, { waitMs: 0, signal: new AbortController().signal, user });
  } catch (error) {
    if (!isToolError(error) || error.code !== 'NEXUS_NOT_FOUND') throw error;
    throw invalidParams(`Task not found: ${id.slice(0, 100)}`);
  }
}
