import type { Job, ToolCallResult } from '@nexus/plugin-sdk';
import type { Call } from '../call.ts';
import type { Caller } from '../dispatcher.ts';
import { normalizeCall } from '../normalization/normalize.ts';
import type { RegisteredTool } from '../registry/registered-tool.ts';
import { splitJobArguments } from './job-arguments.ts';
import { type JobQueue, KEY_META } from './job-queue.ts';
import { mayRunTwice } from './may-run-twice.ts';
import { assertTakesTask } from './task-support.ts';

interface Task {
  readonly tool: RegisteredTool;
  /** False for a tool of its session alone, which a later server may not have. */
  readonly isShared: boolean;
  readonly caller: Caller;
  readonly call: Call;
  readonly ttlMs: number | undefined;
  run(live: Partial<Call>): Promise<ToolCallResult>;
}

/**
 * Starts a task-augmented call (MCP 2025-11-25, Tasks). Its arguments are judged within the job: faults of
 * theirs are the task's result, as they would have been the call's.
 */
export async function startTask(
  jobs: JobQueue,
  { tool, isShared, caller, call, ttlMs, run }: Task,
): Promise<Job> {
  assertTakesTask(tool);
  const loading = tool.load?.();
  if (loading) await loading;
  // Before anything is on record: a task that is refused costs no row.
  call.memory.bucket.take();
  const normalized = normalizeCall(call.params, { fits: tool.fits, address: call.address });
  const { wish, own } = tool.isLong
    ? splitJobArguments(normalized.arguments)
    : { wish: undefined, own: normalized.arguments };
  const { job } = await jobs.start({
    tool: tool.name,
    arguments: own,
    sessionId: caller.sessionId,
    user: caller.user,
    parent: call.run,
    mayRunTwice: isShared && mayRunTwice(tool),
    idempotencyKey: wish?.idempotencyKey,
    ttlMs,
    run: ({ signal, progress, idempotencyKey }) =>
      run({
        signal,
        ask: undefined,
        meta: { ...call.meta, [KEY_META]: idempotencyKey },
        progress(report) {
          progress(report);
          call.progress?.(report);
        },
      }),
  });
  return job;
}
