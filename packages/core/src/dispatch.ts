import { isToolError, type ToolCaller, type ToolCallResult } from '@nexus/plugin-sdk';
import { type Call, mayOutlastClient, type OuterCall, watchCall, withRecovery } from './call.ts';
import type { Caller, CallRequest, Dispatcher, DispatcherOptions } from './dispatcher.ts';
import { toErrorResult } from './errors/envelope.ts';
import { type CallFailure, failureOfError, failureOfResult } from './errors/failure.ts';
import { plainJson, readable } from './errors/plain-json.ts';
import { JSON_RPC, ProtocolError } from './errors/protocol-error.ts';
import { asJob } from './jobs/as-job.ts';
import { splitJobArguments } from './jobs/job-arguments.ts';
import { KEY_META } from './jobs/job-queue.ts';
import { startTask } from './jobs/start-task.ts';
import { assertNeedsNoTask } from './jobs/task-support.ts';
import { isRecord } from './normalization/json-type.ts';
import { normalizeCall } from './normalization/normalize.ts';
import { assertPermitted } from './policy/permissions.ts';
import { assertPrerequisites } from './policy/prerequisites.ts';
import { createSessionMemories } from './policy/session-memory.ts';
import { findTool } from './registry/find-tool.ts';
import type { RegisteredTool } from './registry/registered-tool.ts';
import { toolsInSight } from './registry/tools-in-sight.ts';
import { type Recovery, validateCall } from './registry/validate-call.ts';
import { assertBudgetSettings, budgetMs } from './timeouts/budgets.ts';
import { type Mismatch, mismatchEvent, startMismatch, warnOfMismatch } from './timeouts/mismatch.ts';
import { watchShutdown } from './timeouts/shutdown.ts';
import { ToolCallContext } from './tool-call-context.ts';
import { traceOf } from './trace.ts';

/** A call of a known tool, and what is to be recorded of it. */
interface Attempt {
  readonly tool: RegisteredTool;
  readonly caller: Caller;
  readonly call: Call;
  readonly budgetMs: number;
  readonly mismatch?: Mismatch | undefined;
  recovery?: Recovery | undefined;
  /** From then on its run is an attempt of its own, and recorded as that. */
  isHandedOver: boolean;
}

/** In a direct call `name` is the tool's and never an argument. */
const DIRECT = ['name'] as const;

/** @throws {RangeError} budgets out of range */
export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const { registry, log, jobs, redact } = options;
  const shutdown = watchShutdown(options.shutdown);
  const memories = createSessionMemories(options.limits);
  assertBudgetSettings(options.budgets);

  async function dispatch(caller: Caller, call: Call): Promise<ToolCallResult> {
    const tool = findTool(registry, call.name, caller.sessionId);
    if (!call.outer && !call.isJob) assertNeedsNoTask(tool);
    const budget = budgetMs(tool, options.budgets);
    const mismatch = mayOutlastClient(tool, call, budget)
      ? startMismatch({ toolName: tool.name, budgetMs: budget })
      : undefined;
    const attempt: Attempt = { tool, caller, call, budgetMs: budget, mismatch, isHandedOver: false };
    const admitted = async (valid: ReturnType<typeof validateCall>) => {
      if (!call.isJob) call.memory.bucket.take();
      assertPermitted(tool.name, options.permissions);
      assertPrerequisites(tool, call.memory.succeeded);
      if (!tool.isLong) return run(attempt, valid.value);
      const { wish, own } = splitJobArguments(valid.value);
      if (call.isJob || (wish.dispatch === 'sync' && wish.idempotencyKey === undefined)) {
        return run(attempt, own);
      }
      return asJob(jobs, wish, {
        ...attempt,
        arguments: splitJobArguments(valid.arguments).own,
        shutdown,
        run(live) {
          const inJob: Attempt = {
            ...attempt,
            call: { ...call, ...live, outer: undefined },
            mismatch: undefined,
            isHandedOver: false,
          };
          return concluded(inJob, () => run(inJob, own));
        },
        onStarted() {
          attempt.isHandedOver = true;
        },
      });
    };
    const running = concluded(attempt, async () => {
      const { fits } = tool;
      const loading = tool.load?.();
      if (loading) await loading;
      const valid = validateCall(tool, normalizeCall(call.params, { fits, address: call.address }));
      attempt.recovery = valid.recovery;
      // What a tool calls stands in the place that its own caller holds.
      const leave = call.outer || call.isJob ? undefined : call.memory.inFlight.enter(valid.arguments);
      try {
        return await admitted(valid);
      } finally {
        leave?.();
      }
    });
    // After this turn, with whose end what the call sends elsewhere leaves: it need not wait for the log.
    if (mismatch && !call.memory.warnedOf.has(tool.name)) {
      call.memory.warnedOf.add(tool.name);
      setImmediate(warnOfMismatch, mismatch, log);
    }
    return running;
  }

  /** Does the work; what it comes to is recorded, and its tool error becomes a result. */
  async function concluded(attempt: Attempt, work: () => Promise<ToolCallResult>): Promise<ToolCallResult> {
    const { tool, caller, call, mismatch } = attempt;
    const startedAtMs = Date.now();
    let failure: CallFailure | undefined;
    try {
      const answered = await work();
      failure = redact(failureOfResult(answered));
      const result = failure ? redact(answered) : answered;
      if (!failure && !attempt.isHandedOver) call.memory.succeeded.add(tool.name);
      return withRecovery(result, attempt.recovery);
    } catch (thrown) {
      const error = readable(thrown);
      failure = redact(failureOfError(error));
      return withRecovery(answerFailure(tool, error), attempt.recovery);
    } finally {
      const outcome = { startedAtMs, endedAtMs: Date.now(), error: failure };
      if (!attempt.isHandedOver) {
        options.record({
          toolName: tool.name,
          sessionId: caller.sessionId,
          trace: call.trace,
          recovery: attempt.recovery,
          ...outcome,
        });
      }
      if (mismatch) options.recordMismatch(mismatchEvent(mismatch, outcome));
    }
  }

  async function run(attempt: Attempt, value: unknown): Promise<ToolCallResult> {
    const { tool, caller, call } = attempt;
    // Not by `using`: what that is lowered to costs a tenth of a short call.
    const watch = watchCall(attempt, shutdown);
    try {
      const context = new ToolCallContext(attempt, watch, (outer) => toolCaller(caller, call, outer));
      const { deadline } = watch;
      if (deadline.reason) throw deadline.reason;
      return await deadline.race(tool.run(value, context));
    } finally {
      watch[Symbol.dispose]();
    }
  }

  function toolCaller(caller: Caller, call: Call, outer: OuterCall): ToolCaller {
    // Also whether the client has gone: a keyed call outlives it, whoever made it.
    const { trace, memory, meta, ask, hasGone, run } = call;
    const inherited = { address: [], signal: outer.end, hasGone, ask, trace, memory, run, outer };
    return {
      ...toolsInSight(registry, caller.sessionId),
      call: (name, params) => dispatch(caller, { ...inherited, name, params, meta: ownMeta(params, meta) }),
    };
  }

  /** A tool error becomes a result; anything else is logged with its cause and leaves as -32603. */
  function answerFailure(tool: RegisteredTool, error: unknown): ToolCallResult {
    if (error instanceof ProtocolError) {
      throw new ProtocolError(error.code, redact(error.message), redact(plainJson(error.data)), error);
    }
    const result = isToolError(error) ? toErrorResult(error) : undefined;
    if (result) return redact(result);
    const correlationId = crypto.randomUUID();
    log.error('a tool failed', { tool: tool.name, plugin: tool.plugin, correlationId, err: error });
    throw new ProtocolError(
      JSON_RPC.internalError,
      `Internal error in ${tool.name}; the server's log has its cause under ${correlationId}`,
      { correlationId },
      error,
    );
  }

  function callOf(caller: Caller, { params, signal, hasGone, progress, ask, run }: CallRequest): Call {
    const memory = memories.of(caller.sessionId);
    const trace = traceOf(params._meta);
    const meta = isRecord(params._meta) ? params._meta : {};
    const { name } = params;
    return { name, params, address: DIRECT, signal, hasGone, progress, ask, trace, meta, memory, run };
  }

  return {
    async call(caller, request) {
      return dispatch(caller, callOf(caller, request));
    },
    async startTask(caller, request, ttlMs) {
      const call = callOf(caller, request);
      const tool = findTool(registry, call.name, caller.sessionId);
      const run = (live: Partial<Call>) => dispatch(caller, { ...call, ...live, isJob: true });
      const isShared = registry.get(tool.name) === tool;
      return startTask(jobs, { tool, isShared, caller, call, ttlMs, run });
    },
    endSession(sessionId) {
      memories.forget(sessionId);
    },
  };
}

/** What a tool passes on is its caller's; the key that tells a repetition is of the one call that brings it. */
function ownMeta(params: Call['params'], inherited: Call['meta']): Call['meta'] {
  const own = isRecord(params._meta) ? params._meta : {};
  const { [KEY_META]: _, ...rest } = inherited;
  return KEY_META in own ? { ...rest, [KEY_META]: own[KEY_META] } : rest;
}
