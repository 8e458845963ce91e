import type { JobRun, KnownOnRecord } from '@nexus/core';
import {
  defineRun,
  type FunctionKind,
  type RunOfCall,
  type ToolCallResult,
  ToolError,
} from '@nexus/plugin-sdk';
import { untilReleased } from '../execution/until-released.ts';
import { CALL, JOB_KIND } from '../record/job-kind.ts';
import { outcomeUnknown } from '../record/leaving.ts';
import { codeOf, type Ending, endingOf, messageOf, statusOfEnding } from './ending.ts';

/** What is on record of a call, to make it again. */
export interface JobInput {
  readonly tool: string;
  /** As `JobStart.origin`. */
  readonly origin?: string | undefined;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly sessionId: string;
  /** Whose call it is; absent for whoever runs as the server's own user. */
  readonly user?: string | undefined;
  /** As `JobStart.roots`. */
  readonly roots?: readonly string[] | undefined;
  /** The step of a run that it was called from: what it starts is that run's child, as the job is. */
  readonly parent?: RunOfCall | undefined;
  /** Whether a later server may make it again after this one died in the middle of it. */
  readonly mayRunTwice: boolean;
  /** Whether the call had begun before it was put on record; absent for what an earlier build left. */
  readonly isUnderWay?: boolean | undefined;
}

/** Whether a later server makes the call; what was under way and may not be made twice has only to be ended. */
export function needsTool({ isUnderWay, mayRunTwice }: JobInput): boolean {
  return !isUnderWay || mayRunTwice;
}

/** A call as its own caller made it, for as long as the job stays where it was started. */
export type LiveCall = (run: JobRun) => Promise<ToolCallResult>;

export interface JobKindOptions {
  /** Calls that their own callers made here, by job. */
  readonly liveCalls: Map<string, LiveCall>;
  /** Fires when this server stops. */
  readonly shutdown: AbortSignal;
  /** What the family of a job has come to know. */
  knownOf(jobId: string): KnownOnRecord;
  /** Makes a call again that another server left. */
  rerun(call: JobInput, run: JobRun): Promise<ToolCallResult>;
}

/** A job is a run of one step, which is the call. */
export function jobKind({
  liveCalls,
  shutdown,
  knownOf,
  rerun,
}: JobKindOptions): FunctionKind<unknown, JobInput, null> {
  return defineRun({
    name: JOB_KIND,
    version: 1,
    async run(input: JobInput, context) {
      const live = liveCalls.get(context.id);
      const ending = await context.step<Ending>(
        CALL,
        async ({ signal, idempotencyKey, progress, trace }) => {
          const run: JobRun = {
            signal,
            idempotencyKey,
            trace,
            progress: ({ message, progress: done, total }) => progress(message ?? '', done, total),
          };
          // Its server may have died before it said that the call is under way.
          if (!live && !needsTool(input)) throw outcomeUnknown();
          const made = await endingOf(
            live ? live(run) : rerun(input, { ...run, known: knownOf(context.id) }),
          );
          // What the server's own end made of it is no outcome: the next server has the job.
          if (shutdown.aborted && codeOf(made) === 'NEXUS_SHUTTING_DOWN') await untilReleased(signal);
          // Nor is a store that was away, where the call may be made again: the step does so.
          if (input.mayRunTwice && codeOf(made) === 'NEXUS_STORE_UNAVAILABLE') {
            throw new ToolError('NEXUS_STORE_UNAVAILABLE', messageOf(made) ?? 'The store is away.');
          }
          return made;
        },
        { isRepeatable: input.mayRunTwice },
      );
      liveCalls.delete(context.id);
      if (statusOfEnding(ending) === 'completed') return null;
      const code = codeOf(ending) ?? 'NEXUS_INTERNAL';
      throw new ToolError(code as 'NEXUS_INTERNAL', messageOf(ending) ?? 'The call failed.');
    },
  });
}
