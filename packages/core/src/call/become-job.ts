import type { ToolCallResult } from '@nexus/plugin-sdk';
import { type JobWish, splitJobArguments } from '../jobs/job-arguments.ts';
import type { Shutdown } from '../timeouts/shutdown.ts';
import type { ParsedCall } from './call.ts';
import { rulesOf, wasGivenUp } from './lifetime.ts';
import { type JobStarts, startJob } from './start-job.ts';
import { withinTime } from './within-time.ts';

/** What a call's arguments ask of the job that it is to become; undefined for a call that runs as it came. */
export function jobWishOf({ lifetime, parsed: { wish } }: ParsedCall): JobWish | undefined {
  if (!wish || !rulesOf(lifetime).mayBecomeJob) return undefined;
  return wish.dispatch === 'async' || wish.idempotencyKey !== undefined ? wish : undefined;
}

/** Runs a call as a job: an asynchronous one answers with the job's id, a keyed one with its outcome. */
export async function becomeJob(
  call: ParsedCall,
  { dispatch, idempotencyKey }: JobWish,
  starts: JobStarts & { readonly shutdown: Shutdown },
): Promise<ToolCallResult> {
  const isAsync = dispatch === 'async';
  const { job, isNew } = await startJob(call, starts, {
    arguments: splitJobArguments(call.parsed.arguments).own,
    idempotencyKey,
    connection: ({ progress }) => ({ progress, ask: isAsync ? undefined : call.ask }),
  });
  const { jobId } = job;
  call.jobId = jobId;
  if (isAsync) {
    const structuredContent = { jobId, jobStatus: job.status };
    return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent };
  }
  try {
    // As the call itself would have run: under its deadline, and with a heartbeat.
    return await withinTime(call, starts.shutdown, ({ end }, report) =>
      starts.jobs.outcome(jobId, {
        signal: end.signal,
        progress: ({ message, progress, total }) => report(message, progress, total),
      }),
    );
  } catch (error) {
    // Who started it may end it.
    if (isNew && wasGivenUp(call.lifetime)) await starts.jobs.cancel(jobId);
    throw error;
  }
}
