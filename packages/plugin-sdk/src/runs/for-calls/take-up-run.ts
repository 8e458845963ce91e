import type { CallContext } from '../../context.ts';
import type { Spend } from '../../models/ledger.ts';
import { ToolError } from '../../tool-error.ts';
import type { RunKindName } from '../run-kind.ts';
import type { Run } from '../runs.ts';

/**
 * Takes up an earlier run of the caller's: one that goes on is waited for, one that paused is let go on with
 * the cap given, and one that failed or was cancelled is run again from where it stood, so that nothing
 * finished is paid twice.
 * @throws {ToolError} NEXUS_NOT_FOUND; NEXUS_CONFLICT for a run of another kind
 */
export async function takeUpRun(
  runId: string,
  kind: RunKindName,
  call: CallContext,
  { cap }: { readonly cap?: Partial<Spend> | undefined } = {},
): Promise<Run> {
  const { runs } = call.host;
  const { user } = call;
  const run = await runs.get(runId, { user });
  if (run.kind !== kind.name) {
    const text = `Run ${runId} is a ${run.kind}, not a ${kind.name}; \`nexus runs ${runId}\` shows it.`;
    throw new ToolError('NEXUS_CONFLICT', text, { detail: { runId, kind: run.kind } });
  }
  if (run.status === 'paused') return runs.resume(runId, { user, ...(cap === undefined ? {} : { cap }) });
  if (run.status !== 'failed' && run.status !== 'cancelled') return run;
  return runs.rerun(runId, {
    goesOn: true,
    ...(cap === undefined ? {} : { cap }),
    live: call,
    user,
    caller: call,
  });
}
