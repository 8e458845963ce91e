import type { Job, ToolCallResult } from '@nexus/plugin-sdk';
import { ERROR_META_KEY } from '../errors/envelope.ts';
import { type JobWish, splitJobArguments } from '../jobs/job-arguments.ts';
import type { StartedJob } from '../jobs/job-queue.ts';
import { isRecord } from '../json-type.ts';
import type { Deadlines } from '../timeouts/deadline.ts';
import type { ParsedCall } from './call.ts';
import { afterAnswerOf, isForClient, isWaitedFor, rulesOf, wasGivenUp, wasLeft } from './lifetime.ts';
import { putQuestion } from './put-question.ts';
import { type JobStarts, startJob } from './start-job.ts';
import { withinTime } from './within-time.ts';

/** What is asked of the job that a call is to become; undefined for a call that runs as it came. */
export function jobWishOf({ lifetime, goesOn, parsed: { wish } }: ParsedCall): JobWish | undefined {
  if (!wish || !rulesOf(lifetime).mayBecomeJob) return undefined;
  return goesOn || wish.dispatch === 'async' || wish.idempotencyKey !== undefined ? wish : undefined;
}

type Starts = JobStarts & { readonly deadlines: Deadlines };

/** Runs a call as a job: an asynchronous one answers with the job's id, any other with its outcome. */
export async function becomeJob(call: ParsedCall, wish: JobWish, starts: Starts): Promise<ToolCallResult> {
  const { dispatch, idempotencyKey } = wish;
  const isAsync = dispatch === 'async';
  const start = async () => {
    const started = await startJob(call, starts, {
      arguments: splitJobArguments(call.parsed.arguments).own,
      idempotencyKey,
      connection: ({ progress }) => ({ progress, ask: isAsync ? undefined : call.ask }),
    });
    call.jobId = started.job.jobId;
    return started;
  };
  const started = await start();
  if (isAsync) return answerOf(started.job);
  const outcome = await outcomeFor(call, { ...started, idempotencyKey }, starts);
  // The job of an earlier call may be found while it is being found out that its server died with it: what is
  // repeated by its key then runs again, as it would have a moment later.
  return started.isNew || !isUnknown(outcome)
    ? outcome
    : outcomeFor(call, { ...(await start()), idempotencyKey }, starts);
}

function answerOf({ jobId, status }: Job): ToolCallResult {
  const structuredContent = { jobId, jobStatus: status };
  return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent };
}

/** Waits as the call itself would have run: under its deadline, and with a heartbeat. */
async function outcomeFor(
  call: ParsedCall,
  { job: { jobId }, isNew, idempotencyKey }: StartedJob & Pick<JobWish, 'idempotencyKey'>,
  { jobs, deadlines }: Starts,
): Promise<ToolCallResult> {
  try {
    return await withinTime(call, deadlines, (deadline, report) =>
      jobs.outcome(jobId, {
        signal: deadline.end.signal,
        isForClient: () => isForClient(call.lifetime),
        afterAnswer: afterAnswerOf(call, call.lifetime),
        progress: ({ message, progress, total }) => report(message, progress, total),
        ...(isWaitedFor(call.lifetime)
          ? { ask: (...asked) => putQuestion({ ask: call.ask, deadline }, ...asked) }
          : {}),
      }),
    );
  } catch (error) {
    // Who started it may end it; without a key, nobody comes back for it.
    const isLeft = idempotencyKey === undefined ? wasLeft : wasGivenUp;
    if (isNew && isLeft(call.lifetime)) await jobs.cancel(jobId);
    throw error;
  }
}

function isUnknown({ _meta }: ToolCallResult): boolean {
  const envelope = _meta?.[ERROR_META_KEY];
  return isRecord(envelope) && envelope.code === 'NEXUS_OUTCOME_UNKNOWN';
}
