import type { ToolCallResult } from '@nexus/plugin-sdk';
import { type Call, watchCall } from '../call.ts';
import type { Caller } from '../dispatcher.ts';
import type { RegisteredTool } from '../registry/registered-tool.ts';
import type { Shutdown } from '../timeouts/shutdown.ts';
import type { JobWish } from './job-arguments.ts';
import { type JobQueue, KEY_META } from './job-queue.ts';
import { mayRunTwice } from './may-run-twice.ts';

interface CheckedCall {
  readonly tool: RegisteredTool;
  readonly caller: Caller;
  readonly call: Call;
  readonly budgetMs: number;
  readonly shutdown: Shutdown;
  readonly arguments: Readonly<Record<string, unknown>>;
  run(live: Pick<Call, 'signal' | 'progress' | 'ask' | 'meta'>): Promise<ToolCallResult>;
  onStarted(): void;
}

/** Runs a call as a job: an asynchronous one answers with the job's id, a keyed one with its outcome. */
export async function asJob(jobs: JobQueue, wish: JobWish, checked: CheckedCall): Promise<ToolCallResult> {
  const { tool, caller, call } = checked;
  const isAsync = wish.dispatch === 'async';
  const started = await jobs.start({
    tool: tool.name,
    arguments: checked.arguments,
    sessionId: caller.sessionId,
    user: caller.user,
    parent: call.run,
    mayRunTwice: mayRunTwice(tool),
    idempotencyKey: wish.idempotencyKey,
    run: ({ signal, progress, idempotencyKey }) =>
      checked.run({
        signal,
        progress,
        ask: isAsync ? undefined : call.ask,
        meta: { ...call.meta, [KEY_META]: idempotencyKey },
      }),
  });
  checked.onStarted();
  const { jobId, status } = started.job;
  if (isAsync) {
    const structuredContent = { jobId, jobStatus: status };
    return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent };
  }
  try {
    return await outcomeFor(jobs, jobId, checked);
  } catch (error) {
    // Who started it may end it; a client that merely went comes back with the key.
    if (started.isNew && call.signal.aborted && !call.hasGone?.()) await jobs.cancel(jobId);
    throw error;
  }
}

/** Waits as the call itself would have: under its deadline, and with a heartbeat. */
async function outcomeFor(jobs: JobQueue, jobId: string, checked: CheckedCall): Promise<ToolCallResult> {
  using watch = watchCall(checked, checked.shutdown);
  const { deadline } = watch;
  const report = checked.call.outer?.progress ?? watch.progress.report;
  const outcome = jobs.outcome(jobId, {
    signal: deadline.end.signal,
    progress: ({ message, progress, total }) => report(message, progress, total),
  });
  return await deadline.race(outcome);
}
