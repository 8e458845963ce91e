import {
  type CallContext,
  isToolError,
  type Log,
  type Root,
  type ToolCaller,
  type ToolCallResult,
  type Trace,
} from '@nexus/plugin-sdk';
import { askable, type ClientRequests } from './client-requests.ts';
import { toErrorResult } from './errors/envelope.ts';
import { type CallFailure, failureOfError, failureOfResult } from './errors/failure.ts';
import { JSON_RPC, ProtocolError } from './errors/protocol-error.ts';
import { normalizeCall } from './normalization/normalize.ts';
import { assertPermitted, type Permissions } from './policy/permissions.ts';
import { assertPrerequisites } from './policy/prerequisites.ts';
import type { RateLimit } from './policy/rate-limit.ts';
import { createSessionMemories, type SessionMemory } from './policy/session-memory.ts';
import { findTool } from './registry/find-tool.ts';
import type { CallerContext, RegisteredTool } from './registry/registered-tool.ts';
import type { Registry } from './registry/registry.ts';
import { type Recovery, validateCall } from './registry/validate-call.ts';
import { assertBudgetSettings, type BudgetSettings, budgetMs } from './timeouts/budgets.ts';
import { startDeadline } from './timeouts/deadline.ts';
import {
  exceedsClientDefault,
  type MismatchEvent,
  mismatchEvent,
  warnOfMismatch,
} from './timeouts/mismatch.ts';
import { noProgress, type ProgressReport, startProgress } from './timeouts/progress.ts';
import { watchShutdown } from './timeouts/shutdown.ts';
import { traceOf } from './trace.ts';

/** The key under which a result states how its arguments were recovered. */
export const NORMALIZED_META_KEY = 'nexus/normalized';

/** Who calls: what a tool may learn of its session. */
export interface Caller {
  readonly sessionId: string;
  readonly client: { readonly name: string; readonly version: string };
  readonly log: Log;
  roots(): Promise<readonly Root[]>;
}

export interface CallRequest {
  /** The raw `params` of `tools/call`. */
  readonly params: Readonly<Record<string, unknown>>;
  /** The client's cancel. */
  readonly signal: AbortSignal;
  /** Where progress goes, and does not throw; absent when the client sent no `progressToken`. */
  readonly progress?: ((report: ProgressReport) => void) | undefined;
  /** How its tools ask the client back; absent for a client that can't be asked. */
  readonly ask?: ClientRequests | undefined;
}

/** One finished call of a known tool, nested or not, for metrics, traces and audit. */
export interface CallRecord {
  readonly toolName: string;
  readonly sessionId: string;
  readonly trace: Trace;
  readonly startedAtMs: number;
  readonly endedAtMs: number;
  readonly recovery?: Recovery | undefined;
  /** Also of a result that came with `isError`. */
  readonly error?: CallFailure | undefined;
}

export interface DispatcherOptions {
  readonly registry: Registry;
  readonly budgets: BudgetSettings;
  readonly rateLimit: RateLimit;
  readonly permissions: Permissions;
  /** Fires when the server stops: calls in flight end, new ones are refused. */
  readonly shutdown: AbortSignal;
  readonly log: Log;
  /** Takes each finished call; does not throw, since the call is over. */
  record(record: CallRecord): void;
  /** Takes the row of each call that its client may have given up on; does not throw. */
  recordMismatch(event: MismatchEvent): void;
}

export interface Dispatcher {
  /**
   * A call's whole way: normalise, find, validate, limit, run under a deadline, check, record.
   * @throws {ProtocolError} what leaves as a JSON-RPC error
   */
  call(caller: Caller, request: CallRequest): Promise<ToolCallResult>;
  /** Forgets the session's rate and what succeeded in it. */
  endSession(sessionId: string): void;
}

/** What a call from inside a tool inherits: the outer call's end, and the progress its client sees. */
type OuterCall = Pick<CallContext, 'signal' | 'deadline' | 'progress'>;

/** A call on its way: the request, plus what calls from inside a tool inherit from the outer one. */
interface Call {
  readonly name: unknown;
  readonly params: Readonly<Record<string, unknown>>;
  readonly address: readonly string[];
  readonly signal: AbortSignal;
  readonly progress?: ((report: ProgressReport) => void) | undefined;
  readonly ask?: ClientRequests | undefined;
  readonly trace: Trace;
  readonly memory: SessionMemory;
  /** The call from inside whose tool this one comes; absent when the client itself calls. */
  readonly outer?: OuterCall;
}

/** @throws {RangeError} budgets out of range */
export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const { registry, log } = options;
  const shutdown = watchShutdown(options.shutdown);
  const memories = createSessionMemories(options.rateLimit);
  assertBudgetSettings(options.budgets);

  async function dispatch(caller: Caller, call: Call): Promise<ToolCallResult> {
    const tool = findTool(registry, call.name, caller.sessionId);
    const startedAtMs = Date.now();
    const budget = budgetMs(tool, options.budgets);
    const mismatch = mayOutlastClient(call, budget)
      ? warnOfMismatch({ toolName: tool.name, budgetMs: budget }, log)
      : undefined;
    let recovery: Recovery | undefined;
    let failure: CallFailure | undefined;
    try {
      const valid = validateCall(
        tool,
        normalizeCall(call.params, { fits: tool.fits, address: call.address }),
      );
      recovery = valid.recovery;
      call.memory.bucket.take();
      assertPermitted(tool.name, options.permissions);
      assertPrerequisites(tool, call.memory.succeeded);
      const result = await run(tool, valid.value, { caller, call, budget });
      failure = failureOfResult(result);
      if (!failure) call.memory.succeeded.add(tool.name);
      return withRecovery(result, recovery);
    } catch (error) {
      failure = failureOfError(error);
      return withRecovery(answerFailure(tool, error), recovery);
    } finally {
      const endedAtMs = Date.now();
      const { trace } = call;
      const { sessionId } = caller;
      options.record({
        toolName: tool.name,
        sessionId,
        trace,
        startedAtMs,
        endedAtMs,
        recovery,
        error: failure,
      });
      if (mismatch) {
        options.recordMismatch(mismatchEvent(mismatch, { startedAtMs, endedAtMs, error: failure }));
      }
    }
  }

  async function run(
    tool: RegisteredTool,
    value: unknown,
    { caller, call, budget }: { caller: Caller; call: Call; budget: number },
  ): Promise<ToolCallResult> {
    const { signal, outer } = call;
    const limits = {
      toolName: tool.name,
      budgetMs: budget,
      outerAt: outer?.deadline,
      caller: signal,
      shutdown,
    };
    using deadline = startDeadline(limits);
    using progress = call.progress ? startProgress(tool.name, call.progress) : noProgress;
    const context: CallerContext = {
      get signal() {
        return deadline.signal;
      },
      deadline: deadline.at,
      progress: outer?.progress ?? progress.report,
      session: { id: caller.sessionId },
      client: caller.client,
      trace: call.trace,
      log: caller.log,
      get tools() {
        return toolCaller(caller, call, context);
      },
      roots: caller.roots,
      sample: (request) => askable(call.ask, 'sampling').sample(request, deadline.signal),
      elicit: (request) => askable(call.ask, 'elicitation').elicit(request, deadline.signal),
    };
    if (deadline.reason) throw deadline.reason;
    return await deadline.race(tool.run(value, context));
  }

  function toolCaller(caller: Caller, { trace, memory, ask }: Call, outer: OuterCall): ToolCaller {
    const { signal } = outer;
    return {
      list: () => registry.list(caller.sessionId).map(toSummary),
      find(name) {
        const tool = registry.get(name, caller.sessionId);
        return tool && toSummary(tool);
      },
      call: (name, params) =>
        dispatch(caller, { name, params, address: [], signal, ask, trace, memory, outer }),
    };
  }

  /** A tool error becomes a result; anything else is logged with its cause and leaves as -32603. */
  function answerFailure(tool: RegisteredTool, error: unknown): ToolCallResult {
    if (error instanceof ProtocolError) throw error;
    const result = isToolError(error) ? toErrorResult(error) : undefined;
    if (result) return result;
    const correlationId = crypto.randomUUID();
    log.error('a tool failed', { tool: tool.name, plugin: tool.plugin, correlationId, err: error });
    throw new ProtocolError(
      JSON_RPC.internalError,
      `Internal error in ${tool.name}; the server's log has its cause under ${correlationId}`,
      { correlationId },
      error,
    );
  }

  return {
    async call(caller, request) {
      const { params } = request;
      const trace = traceOf(params._meta);
      const memory = memories.of(caller.sessionId);
      return dispatch(caller, { ...request, name: params.name, address: ['name'], trace, memory });
    },
    endSession(sessionId) {
      memories.forget(sessionId);
    },
  };
}

/** A call from inside a tool is waited for by that tool, whose own call was judged. */
function mayOutlastClient(call: Call, budget: number): boolean {
  const hasProgressToken = call.progress !== undefined;
  return call.outer === undefined && exceedsClientDefault({ budgetMs: budget, hasProgressToken });
}

function toSummary({ name, listing, hints }: RegisteredTool) {
  const { title = name, description = '' } = listing;
  return { name, title, description, annotations: hints };
}

function withRecovery(result: ToolCallResult, recovery: Recovery | undefined): ToolCallResult {
  return recovery ? { ...result, _meta: { ...result._meta, [NORMALIZED_META_KEY]: recovery } } : result;
}
