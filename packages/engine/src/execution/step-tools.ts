import { ERROR_META_KEY, type ErrorEnvelope, KEY_META } from '@nexus/core';
import { type ToolCaller, type ToolCallResult, ToolError } from '@nexus/plugin-sdk';
import type { RunInstance } from './run-instance.ts';

/** A step's calls carry its key: its second call, in the order of the work, one of its own. */
export function stepTools(
  instance: RunInstance,
  { step, signal, key }: { readonly step: string; readonly signal: AbortSignal; readonly key: string },
): ToolCaller {
  const tools = instance.services.tools(instance.run, { step, signal });
  let calls = 0;
  return {
    list: () => tools.list(),
    find: (name) => tools.find(name),
    check: (name, args) => tools.check(name, args),
    async call(name, params) {
      calls += 1;
      const own = calls === 1 ? key : `${key}-${calls}`;
      const meta = params._meta as Readonly<Record<string, unknown>> | undefined;
      const result = await tools.call(name, { ...params, _meta: { ...meta, [KEY_META]: own } });
      await assertWithinBudget(instance, result);
      return result;
    },
  };
}

/**
 * A run that the call started is of this family, and so is its budget: where it pauses, this one pauses too,
 * and the call is made again under its key once there is more to spend.
 * @throws {ToolError} NEXUS_BUDGET_EXCEEDED
 */
async function assertWithinBudget({ services, run }: RunInstance, result: ToolCallResult): Promise<void> {
  if (!result.isError) return;
  const { code, message, detail } = (result._meta?.[ERROR_META_KEY] ?? {}) as Partial<ErrorEnvelope>;
  const { runId } = Object(detail) as { runId?: unknown };
  if (code !== 'NEXUS_BUDGET_EXCEEDED' || typeof runId !== 'string') return;
  // Any server may say so: it is taken from a run that is known to be this one's.
  const child = await services.on.db
    .selectFrom('runs_runs')
    .select('id')
    .where('id', '=', runId)
    .where('root_id', '=', run.root_id)
    .where('status', '=', 'paused')
    .executeTakeFirst();
  if (!child) return;
  throw new ToolError('NEXUS_BUDGET_EXCEEDED', message ?? 'The budget is spent.', { detail: { runId } });
}
