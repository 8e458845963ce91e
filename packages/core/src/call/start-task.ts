import type { Job } from '@nexus/plugin-sdk';
import { type JobWish, splitJobArguments } from '../jobs/job-arguments.ts';
import { assertTakesTask } from '../jobs/task-support.ts';
import { normalizeCall } from '../normalization/normalize.ts';
import { assertNothingLost } from '../registry/validate-call.ts';
import type { Call } from './call.ts';
import { type JobStarts, startJob } from './start-job.ts';

/**
 * Starts a task-augmented call (MCP 2025-11-25, Tasks). Its arguments are judged within the job: faults of
 * theirs are the task's result, as they would have been the call's.
 */
export async function startTask(call: Call, starts: JobStarts, ttlMs: number | undefined): Promise<Job> {
  const { tool } = call;
  assertTakesTask(tool);
  const loading = tool.load?.();
  if (loading) await loading;
  // Before anything is on record: a task that is refused costs no row.
  call.memory.rate.take();
  const shape = { fits: tool.fits, listing: tool.listing, address: call.address };
  const found = normalizeCall(call.params, shape);
  // The job has the arguments alone.
  assertNothingLost(tool, found);
  const sent = found.arguments;
  const { wish, own } = tool.isLong ? splitJobArguments(sent) : { wish: undefined, own: sent };
  const { job } = await startJob(call, starts, {
    // A key that is none stays among them: the job is refused for it, and not made without.
    arguments: isKeyLost(sent, wish) ? sent : own,
    idempotencyKey: wish?.idempotencyKey,
    ttlMs,
    connection: (run) => ({
      ask: undefined,
      progress(report) {
        run.progress(report);
        call.progress?.(report);
      },
    }),
  });
  return job;
}

function isKeyLost(
  { idempotencyKey }: Readonly<Record<string, unknown>>,
  wish: JobWish | undefined,
): boolean {
  return wish !== undefined && idempotencyKey !== undefined && wish.idempotencyKey === undefined;
}
