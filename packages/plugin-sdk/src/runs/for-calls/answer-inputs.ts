import type { CallContext, CallInputs } from '../../context.ts';
import { ToolError } from '../../tool-error.ts';
import type { RunKindName } from '../run-kind.ts';
import type { Run } from '../runs.ts';

/**
 * The run that an earlier call was suspended on, given the answers that this one brings: what `inputRequired` said
 * of it comes back here, by whatever connection.
 * @throws {ToolError} NEXUS_NOT_FOUND; NEXUS_CONFLICT for a run of another kind; what keeps an answer from being one
 */
export async function answerInputs(
  { state, answers }: CallInputs,
  kind: RunKindName,
  { host: { runs }, user }: Pick<CallContext, 'host' | 'user'>,
): Promise<Run> {
  const run = await runs.get(state, { user });
  if (run.kind !== kind.name) {
    throw new ToolError('NEXUS_CONFLICT', `Run ${state} is a ${run.kind}, not a ${kind.name}.`);
  }
  for (const { key, answer, digest } of answers) {
    const asked = run.asks?.find(({ runId, name }) => `${runId}/${name}` === key);
    // Answered elsewhere meanwhile.
    if (!asked) continue;
    const of = { question: asked.name, user, ...(digest === undefined ? {} : { digest }) };
    await runs.answer(asked.runId, answer, of);
  }
  return run;
}
