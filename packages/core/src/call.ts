import type { ToolCallResult, Trace } from '@nexus/plugin-sdk';
import type { ClientRequests } from './client-requests.ts';
import type { CallRequest } from './dispatcher.ts';
import { saysAsync } from './jobs/job-arguments.ts';
import type { SessionMemory } from './policy/session-memory.ts';
import type { CallerContext, RegisteredTool } from './registry/registered-tool.ts';
import type { Recovery } from './registry/validate-call.ts';
import { type Deadline, startDeadline } from './timeouts/deadline.ts';
import type { EndSignal } from './timeouts/end-signal.ts';
import { exceedsClientDefault } from './timeouts/mismatch.ts';
import { noProgress, type ProgressMeter, type ProgressReport, startProgress } from './timeouts/progress.ts';
import type { Shutdown } from './timeouts/shutdown.ts';

/** The key under which a result states how its arguments were recovered. */
export const NORMALIZED_META_KEY = 'nexus/normalized';

/** What a call from inside a tool inherits: the outer call's end, and the progress its client sees. */
export type OuterCall = Pick<CallerContext, 'end' | 'deadline' | 'progress'>;

/** A call on its way: the request, plus what calls from inside a tool inherit from the outer one. */
export interface Call {
  readonly name: unknown;
  readonly params: Readonly<Record<string, unknown>>;
  readonly address: readonly string[];
  readonly signal: EndSignal;
  readonly hasGone?: CallRequest['hasGone'];
  readonly progress?: ((report: ProgressReport) => void) | undefined;
  readonly ask?: ClientRequests | undefined;
  readonly trace: Trace;
  /** The `_meta` that the client sent. */
  readonly meta: Readonly<Record<string, unknown>>;
  readonly run?: CallRequest['run'];
  readonly memory: SessionMemory;
  /** The call from inside whose tool this one comes; absent when the client itself calls. */
  readonly outer?: OuterCall | undefined;
  /** It is a job already, so that its arguments can't make it another. */
  readonly isJob?: boolean;
}

/** A call from inside a tool, or of a job, is waited for by something whose own call was judged. */
export function mayOutlastClient(tool: RegisteredTool, call: Call, budgetMs: number): boolean {
  if (call.outer !== undefined || call.isJob || (tool.isLong && saysAsync(call.params))) return false;
  return exceedsClientDefault({ budgetMs, hasProgressToken: call.progress !== undefined });
}

/** What holds a call within its time and tells its client of it; over with the call. */
export interface CallWatch extends Disposable {
  readonly deadline: Deadline;
  readonly progress: ProgressMeter;
}

export function watchCall(
  { tool, call, budgetMs }: { tool: RegisteredTool; call: Call; budgetMs: number },
  shutdown: Shutdown,
): CallWatch {
  const deadline = startDeadline({
    toolName: tool.name,
    budgetMs,
    outerAt: call.outer?.deadline,
    caller: call.signal,
    shutdown,
  });
  const progress = call.progress ? startProgress(tool.name, call.progress) : noProgress;
  return {
    deadline,
    progress,
    [Symbol.dispose]() {
      progress[Symbol.dispose]();
      deadline[Symbol.dispose]();
    },
  };
}

export function withRecovery(result: ToolCallResult, recovery: Recovery | undefined): ToolCallResult {
  return recovery ? { ...result, _meta: { ...result._meta, [NORMALIZED_META_KEY]: recovery } } : result;
}
