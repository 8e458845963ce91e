import { type ToolCallResult, ToolError } from '@nexus/plugin-sdk';
import { toErrorResult } from '../errors/envelope.ts';
import type { JobRun } from '../jobs/job-queue.ts';
import { RequestEnd } from '../timeouts/end-signal.ts';
import type { ClientPatience } from '../timeouts/patience.ts';
import type { Call, ParsedCall } from './call.ts';
import type { Lifetime } from './lifetime.ts';
import { type JobStarts, startJobOf } from './start-job.ts';

type DirectCall = Call & { readonly lifetime: Extract<Lifetime, { kind: 'direct' }> };

/** How long before its client gives up a call is answered: a tenth, and no less than this. */
const LEAST_MARGIN_MS = 2_000;

/** How long the client of a call surely waits; undefined where that is long enough, or nobody knows. */
export function waitsTooShort(call: Call, patience: ClientPatience | undefined): number | undefined {
  // What is quick by its class waits for nothing, or for as long as its caller said.
  if (!patience || call.lifetime.kind !== 'direct' || call.tool.budget === 'interactive') return undefined;
  const waitsMs = patience.waitsMs(call.caller, call.progress !== undefined);
  return waitsMs !== undefined && call.budgetMs > answerInMs(waitsMs) ? waitsMs : undefined;
}

function answerInMs(waitsMs: number): number {
  return Math.max(waitsMs / 2, Math.min(waitsMs * 0.9, waitsMs - LEAST_MARGIN_MS));
}

/**
 * Runs a call of a client that gives up before the call's budget is spent. What has not ended by then goes on as a
 * job, which the answer names; the client's going and its cancel end it no more. A long tool's call is a job from
 * the start, so that its runs stand under the job's key.
 */
export async function handOverInTime(
  call: DirectCall,
  waitsMs: number,
  starts: JobStarts,
  work: (call: Call) => Promise<ToolCallResult>,
): Promise<ToolCallResult> {
  const { lifetime, tool } = call;
  const end = new RequestEnd();
  let job: Partial<JobRun> | undefined;
  const followClient = () => {
    if (!job) end.end(lifetime.end.reason);
  };
  lifetime.end.addEventListener('abort', followClient, { once: true });
  if (lifetime.end.aborted) followClient();
  const { progress } = call;
  const going: Call = {
    ...call,
    goesOn: true,
    lifetime: {
      kind: 'direct',
      end,
      hasGone: () => !job && lifetime.hasGone(),
      isHandedOver: () => job !== undefined,
    },
    progress: progress && ((report) => (job ? job.progress : progress)?.(report)),
  };
  const working = work(going);
  if (!(await outlasts(working, answerInMs(waitsMs)))) return working;
  if (end.aborted || !isParsed(going) || (tool.isLong && going.jobId === undefined)) return working;
  try {
    going.jobId ??= await startAside(going);
  } catch (error) {
    call.caller.log.warn('a call that its client may give up on could not go on as a job', {
      tool: tool.name,
      err: error,
    });
    return working;
  }
  job ??= {};
  return Promise.race([working, goesOn(going, going.jobId, { waitsMs, starts })]);

  async function startAside(parsed: ParsedCall): Promise<string> {
    const started = await startJobOf(parsed, starts, {
      arguments: parsed.parsed.arguments,
      idempotencyKey: undefined,
      isUnderWay: true,
      run(given) {
        job = given;
        given.signal.addEventListener('abort', () => end.end(given.signal.reason), { once: true });
        return working;
      },
    });
    return started.job.jobId;
  }
}

function isParsed(call: Call): call is ParsedCall {
  return call.parsed !== undefined;
}

/** Whether work takes longer; how it ends is not looked at. */
async function outlasts(work: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, ms, true);
  });
  const ended = () => false;
  try {
    return await Promise.race([work.then(ended, ended), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Says it as an error where the tool's own output schema has no room for another answer. */
async function goesOn(
  { tool }: Call,
  jobId: string,
  { waitsMs, starts }: { waitsMs: number; starts: JobStarts },
): Promise<ToolCallResult> {
  const waitMs = Math.floor((waitsMs * 0.75) / 1_000) * 1_000;
  const since = `${tool.name} goes on as a job, since this client waits for an answer no longer than ${waitsMs / 1_000} s.`;
  const message = `${since} ${starts.jobs.howToWait(jobId, waitMs)} Do not call ${tool.name} for the same again.`;
  const mayAnswerOtherwise = tool.isLong || tool.listing.outputSchema === undefined;
  const structuredContent = { jobId, jobStatus: 'working', message };
  const answer = { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent };
  const error = new ToolError('NEXUS_STILL_RUNNING', message, { detail: { jobId } });
  return mayAnswerOtherwise ? answer : (toErrorResult(error) ?? answer);
}
