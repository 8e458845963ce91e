import { type CallContext, type Run, ToolError } from '@nexus/plugin-sdk';
import type { ExpertsState } from '../state.ts';
import { capOf } from './start-options.ts';

/**
 * Takes up an earlier run: one that goes on is waited for, one that paused is let go on
 * with the cap that the config has now, and one that failed
 * or was cancelled is run again from where it stood, so that nothing finished is paid twice.
 * @throws {ToolError} NEXUS_NOT_FOUND; NEXUS_CONFLICT for a run of another kind
 */
export async function takeUpRun(
  runId: string,
  kind: string,
  context: CallContext<ExpertsState>,
): Promise<Run> {
  const { runs } = context.host;
  const run = await runs.get(runId, { user: context.user });
  if (run.kind !== kind) {
    const text = `Run ${runId} is a ${run.kind}, not a ${kind}; \`nexus runs ${runId}\` shows it.`;
    throw new ToolError('NEXUS_CONFLICT', text, { detail: { runId, kind: run.kind } });
  }
  const cap = capOf(context.state.options);
  if (run.status === 'paused') return runs.resume(runId, cap === undefined ? {} : { cap });
  if (run.status !== 'failed' && run.status !== 'cancelled') return run;
  const from = run.steps.find(({ status }) => status !== 'completed')?.name;
  return runs.rerun(runId, {
    ...(from === undefined ? {} : { from }),
    live: context,
    caller: { session: context.session, user: context.user },
  });
}
