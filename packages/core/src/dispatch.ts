import {
  type CallContext,
  isToolError,
  type Log,
  type Root,
  type ToolCaller,
  type ToolCallResult,
  ToolError,
  type Trace,
} from '@nexus/plugin-sdk';
import { toErrorResult } from './errors/envelope.ts';
import { invalidParams, JSON_RPC, ProtocolError } from './errors/protocol-error.ts';
import { errorTable, isKnownCode } from './errors/table.ts';
import { normalizeCall } from './normalization/normalize.ts';
import { assertPermitted, type Permissions } from './policy/permissions.ts';
import { createRateLimiter, type RateLimit } from './policy/rate-limit.ts';
import { nearestNames } from './registry/nearest.ts';
import type { RegisteredTool } from './registry/registered-tool.ts';
import type { Registry } from './registry/registry.ts';
import { type Recovery, validateCall } from './registry/validate-call.ts';
import { type BudgetSettings, budgetMs } from './timeouts/budgets.ts';
import { startDeadline } from './timeouts/deadline.ts';
import {
  exceedsClientDefault,
  MCP_SDK_DEFAULT_MS,
  type MismatchEvent,
  mismatchEvent,
} from './timeouts/mismatch.ts';
import { noProgress, type ProgressReport, startProgress } from './timeouts/progress.ts';
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
  /** Where progress goes; absent when the client sent no `progressToken`. */
  readonly progress?: ((report: ProgressReport) => void) | undefined;
}

/** One finished call, for metrics, traces and audit. */
export interface CallRecord {
  readonly toolName: string;
  readonly sessionId: string;
  readonly trace: Trace;
  readonly startedAtMs: number;
  readonly endedAtMs: number;
  readonly recovery?: Recovery | undefined;
  readonly error?: { readonly code: string; readonly category: string; readonly message: string } | undefined;
}

export interface DispatcherOptions {
  readonly registry: Registry;
  readonly budgets: BudgetSettings;
  readonly rateLimit: RateLimit;
  readonly permissions: Permissions;
  /** Fires when the server stops: calls in flight end, new ones are refused. */
  readonly shutdown: AbortSignal;
  readonly log: Log;
  record(record: CallRecord): void;
  recordMismatch(event: MismatchEvent): void;
}

export interface Dispatcher {
  /**
   * A call's whole way: normalise, find, validate, limit, run under a deadline, check, record.
   * @throws {ProtocolError} what leaves as a JSON-RPC error
   */
  call(caller: Caller, request: CallRequest): Promise<ToolCallResult>;
  endSession(sessionId: string): void;
}

/** A call on its way: the request, plus what calls from inside a tool inherit from the outer one. */
interface Call {
  readonly name: unknown;
  readonly params: Readonly<Record<string, unknown>>;
  readonly address: readonly string[];
  readonly signal: AbortSignal;
  readonly progress?: ((report: ProgressReport) => void) | undefined;
  readonly trace: Trace;
  readonly isNested: boolean;
}

export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const { registry, shutdown, log } = options;
  const limiter = createRateLimiter(options.rateLimit);
  const succeeded = new Map<string, Set<string>>();

  async function dispatch(caller: Caller, call: Call): Promise<ToolCallResult> {
    const tool = findTool(registry, call.name, caller.sessionId);
    const normalized = normalizeCall(call.params, { fits: tool.fits, address: call.address });
    const startedAtMs = Date.now();
    const budget = budgetMs(tool, options.budgets);
    const mismatch = warnOfMismatch(tool, budget, call);
    let recovery: Recovery | undefined;
    let failure: CallRecord['error'];
    try {
      const valid = validateCall(tool, normalized);
      recovery = valid.recovery;
      assertPermitted(tool.name, options.permissions);
      assertPrerequisites(tool, succeeded.get(caller.sessionId));
      limiter.take(caller.sessionId);
      const result = await run(tool, valid.value, { caller, call, budget });
      if (!result.isError) remember(caller.sessionId, tool.name);
      return recovery ? withMeta(result, NORMALIZED_META_KEY, recovery) : result;
    } catch (error) {
      failure = describeFailure(error);
      return answerFailure(tool, error);
    } finally {
      const endedAtMs = Date.now();
      options.record({
        toolName: tool.name,
        sessionId: caller.sessionId,
        trace: call.trace,
        startedAtMs,
        endedAtMs,
        recovery,
        error: failure,
      });
      if (mismatch) {
        const outcome = { startedAtMs, endedAtMs, ...(failure ? { error: failure } : {}) };
        options.recordMismatch(mismatchEvent(mismatch, outcome));
      }
    }
  }

  async function run(
    tool: RegisteredTool,
    value: unknown,
    { caller, call, budget }: { caller: Caller; call: Call; budget: number },
  ): Promise<ToolCallResult> {
    using deadline = startDeadline({ toolName: tool.name, budgetMs: budget, caller: call.signal, shutdown });
    using progress = call.progress ? startProgress(tool.name, call.progress) : noProgress;
    const context: Omit<CallContext, 'state' | 'host'> = {
      signal: deadline.signal,
      deadline: deadline.at,
      session: { id: caller.sessionId },
      client: caller.client,
      trace: call.trace,
      log: caller.log,
      tools: toolCaller(caller, call, deadline.signal),
      progress: progress.report,
      roots: caller.roots,
    };
    if (deadline.signal.aborted) throw deadline.signal.reason;
    return await deadline.race(tool.run(value, context));
  }

  function toolCaller(caller: Caller, outer: Call, signal: AbortSignal): ToolCaller {
    return {
      list: () => registry.list(caller.sessionId).map(toSummary),
      find(name) {
        const tool = registry.get(name, caller.sessionId);
        return tool && toSummary(tool);
      },
      call: (name, params) =>
        dispatch(caller, { name, params, address: [], signal, trace: outer.trace, isNested: true }),
    };
  }

  function warnOfMismatch(tool: RegisteredTool, budget: number, call: Call) {
    const hasProgressToken = call.progress !== undefined;
    if (call.isNested || !exceedsClientDefault({ budgetMs: budget, hasProgressToken, isTask: false })) return;
    const mismatch = { eventId: crypto.randomUUID(), toolName: tool.name, budgetMs: budget };
    log.warn(
      'MCP tool budget exceeds client default and no progressToken received: the client is likely to give up before the server-side deadline',
      {
        tool: tool.name,
        configuredTimeoutMs: budget,
        mcpSdkDefaultMs: MCP_SDK_DEFAULT_MS,
        eventId: mismatch.eventId,
      },
    );
    return mismatch;
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

  function remember(sessionId: string, toolName: string): void {
    const names = succeeded.get(sessionId) ?? new Set();
    succeeded.set(sessionId, names.add(toolName));
  }

  return {
    call(caller, { params, signal, progress }) {
      const trace = traceOf(params._meta);
      const call = { name: params.name, params, address: ['name'], signal, progress, trace, isNested: false };
      return dispatch(caller, call);
    },
    endSession(sessionId) {
      limiter.forget(sessionId);
      succeeded.delete(sessionId);
    },
  };
}

function findTool(registry: Registry, name: unknown, sessionId: string): RegisteredTool {
  if (typeof name !== 'string') throw invalidParams('tools/call needs params.name, the name of a tool');
  const tool = registry.get(name, sessionId);
  if (tool) return tool;
  const nearest = nearestNames(
    name,
    registry.list(sessionId).map((each) => each.name),
  );
  const hint = nearest.length > 0 ? `did you mean ${nearest.join(' or ')}?` : 'tools/list names them all';
  throw invalidParams(`Unknown tool: ${name}; ${hint}`, { nearest });
}

function assertPrerequisites(tool: RegisteredTool, succeeded: ReadonlySet<string> | undefined): void {
  const missing = tool.requires.filter((name) => !succeeded?.has(name));
  if (missing.length === 0) return;
  const text = `${tool.name} wants ${missing.join(' and ')} to have succeeded first in this session.`;
  throw new ToolError('NEXUS_PREREQUISITE', text, { detail: { missing } });
}

function describeFailure(error: unknown): CallRecord['error'] {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof ProtocolError) return { code: String(error.code), category: 'protocol', message };
  const code = isToolError(error) && isKnownCode(error.code) ? error.code : 'NEXUS_INTERNAL';
  return { code, category: errorTable[code].category, message };
}

function toSummary({ name, listing, hints }: RegisteredTool) {
  const { title = name, description = '' } = listing;
  return { name, title, description, annotations: hints };
}

function withMeta(result: ToolCallResult, key: string, value: unknown): ToolCallResult {
  return { ...result, _meta: { ...result._meta, [key]: value } };
}
