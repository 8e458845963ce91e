import { ERROR_META_KEY, type ErrorEnvelope } from '@nexus/core';
import { isToolError, type Run, type RunDetail, type ToolCallResult } from '@nexus/plugin-sdk';
import type { SimulatedProcess } from '../ground/process.ts';
import type { Errand } from '../scenario.ts';
import { ask, isPassing, LOST, type Outside, PATIENCE_MS, somebody } from './asking.ts';
import { outputFault } from './program.ts';
import { callRun } from './tools.ts';

type GoesOn = NonNullable<Errand['goesOn']>;

/** Somebody who wants an errand done, while others cancel it or what is within it, and has it go on until it is. */
export async function runGoneOn(
  { id, atMs, program, goesOn }: Errand & { readonly goesOn: GoesOn },
  outside: Outside,
): Promise<void> {
  const { world, chance } = outside;
  let runId: string | undefined;
  let isById = false;
  await world.wait(atMs, undefined, 'errand');
  for (const { afterMs, isWithin } of goesOn.cancels)
    world.at(afterMs, undefined, 'cancels', () => void cancel(isWithin));
  for (;;) {
    const process = await somebody(outside);
    const said = await ask(outside, process, (signal) => asked(process, signal), PATIENCE_MS);
    const came = cameTo(said as Run | ToolCallResult | Error | typeof LOST);
    if ('output' in came) {
      const fault = outputFault(program, came.output);
      if (fault) world.wrong(`errand ${id}, gone on with: ${fault}`);
      return;
    }
    // Under its key goes on what was cancelled; anything else is taken up.
    isById = came.code === undefined ? isById : goesOn.by === 'id' || came.code !== 'NEXUS_CANCELLED';
    await world.wait(chance.between(100, 1_000), undefined, 'has it go on');
  }

  async function asked(process: SimulatedProcess, signal: AbortSignal): Promise<Run | ToolCallResult> {
    const { runs } = process.engine;
    if (isById && runId !== undefined) {
      runId = (await runs.takeUp(runId)).id;
      return runs.wait(runId, { signal, toldTo: {} });
    }
    return callRun(process, {
      input: { program, errand: id, at: '' },
      key: `errand-${id}`,
      run: undefined,
      signal,
      onStarted: (started) => {
        runId = started;
      },
    });
  }

  async function cancel(isWithin: boolean): Promise<void> {
    const root = runId;
    if (root === undefined) return;
    const process = await somebody(outside);
    const { runs } = process.engine;
    await ask(
      outside,
      process,
      async () => runs.cancel((isWithin ? openWithin(await runs.get(root)) : undefined) ?? root),
      PATIENCE_MS,
    );
  }
}

/** The innermost run that is under way. */
function openWithin({ children }: Pick<RunDetail, 'children'>): string | undefined {
  const open = children.find(({ status }) => status === 'running' || status === 'waiting');
  return open && (openWithin(open) ?? open.id);
}

/** @returns what it answered, or with which code it ended; neither where it is to be asked again as before */
function cameTo(
  said: Run | ToolCallResult | Error | typeof LOST,
): { readonly output: unknown } | { readonly code?: string } {
  if (said === LOST) return {};
  if (said instanceof Error) return codeOf(isToolError(said) ? said.code : 'none');
  if ('content' in said) {
    const envelope = said._meta?.[ERROR_META_KEY] as ErrorEnvelope | undefined;
    if (said.isError) return codeOf(envelope?.code ?? 'none');
    return { output: (said.structuredContent as { said?: unknown } | undefined)?.said };
  }
  return said.status === 'completed' ? { output: said.output } : codeOf(said.error?.code ?? 'none');
}

function codeOf(code: string): { readonly code?: string } {
  return isPassing(code) && code !== 'NEXUS_OUTCOME_UNKNOWN' ? {} : { code };
}
