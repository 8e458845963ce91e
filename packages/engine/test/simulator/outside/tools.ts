import { KEY_META, toErrorResult } from '@nexus/core';
import {
  isToolError,
  type RunOfCall,
  type ToolCaller,
  type ToolCallResult,
  ToolError,
} from '@nexus/plugin-sdk';
import type { EngineOptions } from '../../../src/engine.ts';
import type { SimulatedProcess } from '../ground/process.ts';
import { kindOf, type ProgramInput } from './kinds.ts';

const SESSION = { id: 'simulated-session' };

/** The tools that a step of a run has: both start a run of a program under the step's key, one of them as a job. */
export function toolsOf(
  process: SimulatedProcess,
  ...[run, at]: Parameters<EngineOptions['tools']>
): ToolCaller {
  return {
    list: () => [],
    find: () => undefined,
    check: async () => [],
    async call(name, params) {
      const { arguments: input, _meta } = params as unknown as {
        arguments: ProgramInput;
        _meta: Record<string, string>;
      };
      const call = { input, key: _meta[KEY_META], run: { id: run.id, step: at.step }, signal: at.signal };
      return name === 'job' ? callAsJob(process, call) : callRun(process, call);
    },
  };
}

export interface Call {
  readonly input: ProgramInput;
  readonly key: string | undefined;
  readonly run: RunOfCall | undefined;
  readonly signal: AbortSignal;
  readonly capTokens?: number | undefined;
  onStarted?: ((id: string) => void) | undefined;
  /** Whether it is a job's: nobody is there to be told. */
  readonly isOfJob?: boolean;
}

/** As a tool of a plugin whose work is a run. */
export async function callRun(process: SimulatedProcess, call: Call): Promise<ToolCallResult> {
  const { input, key, run: parent, signal, capTokens } = call;
  const { runs } = process.engine;
  try {
    const caller = { session: SESSION, run: parent };
    const run = await runs.start(kindOf(input), input, {
      caller,
      ...(key === undefined ? {} : { key }),
      ...(capTokens === undefined ? {} : { cap: { tokens: capTokens } }),
    });
    call.onStarted?.(run.id);
    const toldTo = { run: parent, idempotencyKey: key, isForClient: !call.isOfJob && parent === undefined };
    const ended = await runs.wait(run.id, { signal, toldTo }).catch(async (error: unknown) => {
      if (isOver(signal)) await runs.cancel(run.id);
      throw error;
    });
    if (ended.status === 'completed') return { content: [], structuredContent: { said: ended.output } };
    const code =
      ended.error?.code ?? (ended.status === 'paused' ? 'NEXUS_BUDGET_EXCEEDED' : 'NEXUS_UNAVAILABLE');
    throw new ToolError(code as 'NEXUS_INTERNAL', ended.error?.message ?? `The run is ${ended.status}.`, {
      detail: { ...ended.error?.detail, runId: ended.id, status: ended.status },
    });
  } catch (error) {
    const result = isToolError(error) ? toErrorResult(error) : undefined;
    if (result) return result;
    throw error;
  }
}

/** As a keyed call of a client or a step, which becomes a job. */
export async function callAsJob(process: SimulatedProcess, call: Call): Promise<ToolCallResult> {
  const { input, key, run: parent, signal, capTokens } = call;
  const { jobs } = process.engine;
  try {
    const { job } = await jobs.start({
      tool: toolOf(input),
      arguments: { ...input, capTokens },
      sessionId: SESSION.id,
      parent,
      mayRunTwice: true,
      idempotencyKey: key,
      run: (live) => {
        const { idempotencyKey, signal: ofJob } = live;
        return callRun(process, { ...call, key: idempotencyKey, signal: ofJob, isOfJob: true });
      },
    });
    call.onStarted?.(job.jobId);
    return await jobs.outcome(job.jobId, { signal, isForClient: () => parent === undefined });
  } catch (error) {
    const result = isToolError(error) ? toErrorResult(error) : undefined;
    if (result) return result;
    throw error;
  }
}

/** What jobs call, which servers may be without where its plugin is gone. */
export const GUEST_TOOL = 'guest';
const toolOf = ({ isGuest }: ProgramInput) => (isGuest ? GUEST_TOOL : 'run');

/** Makes the call of a job again that another process left. */
export async function callAgain(
  process: SimulatedProcess,
  ...[call, job]: Parameters<EngineOptions['rerun']>
): Promise<ToolCallResult> {
  if (!process.isWhole && call.tool === GUEST_TOOL) {
    const result = toErrorResult(new ToolError('NEXUS_NOT_FOUND', `There is no tool ${call.tool} here.`));
    if (result) return result;
  }
  const { capTokens, ...input } = call.arguments as unknown as ProgramInput & { capTokens?: number };
  return callRun(process, {
    input,
    key: job.idempotencyKey,
    run: call.parent,
    signal: job.signal,
    capTokens,
    isOfJob: true,
  });
}

function isOver({ aborted, reason }: AbortSignal): boolean {
  if (!aborted) return false;
  return !isToolError(reason) || reason.code === 'NEXUS_CANCELLED' || reason.code === 'NEXUS_TIMEOUT';
}
