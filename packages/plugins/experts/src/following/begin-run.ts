import type { CallContext, Run, RunKind } from '@nexus/plugin-sdk';
import type { ExpertsState } from '../state.ts';
import { startOptions } from './start-options.ts';
import { takeUpRun } from './take-up-run.ts';

/** Starts a run for a call, or finds the one that the same call began before its server died. */
export async function beginRun<Input, Output>(
  call: CallContext<ExpertsState>,
  kind: RunKind<ExpertsState, Input, Output>,
  {
    input,
    ...about
  }: { readonly input: Input; readonly title: string; readonly timeoutMs: number | undefined },
): Promise<Run> {
  const run = await call.host.runs.start(kind, input, startOptions(call, about));
  // A keyed call that was cancelled and is made again goes on from there.
  return run.status === 'cancelled' ? takeUpRun(run.id, kind.name, call) : run;
}
