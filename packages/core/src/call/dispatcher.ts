import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  asToolCallResult,
  isToolError,
  type Job,
  type Resumption,
  type ToolCaller,
  type ToolCallResult,
} from '@nexus/plugin-sdk';
import { mayRetry } from '../annotations/hints.ts';
import { toErrorResult } from '../errors/envelope.ts';
import { readable } from '../errors/plain-json.ts';
import type { JobQueue } from '../jobs/job-queue.ts';
import { assertNeedsNoTask } from '../jobs/task-support.ts';
import type { Permissions } from '../policy/permissions.ts';
import { createSessionMemories, type SessionLimits } from '../policy/session-memory.ts';
import { findTool, toolOfRun } from '../registry/find-tool.ts';
import type { Registry } from '../registry/registry.ts';
import { toolsInSight } from '../registry/tools-in-sight.ts';
import { assertBudgetSettings, type BudgetSettings, budgetMs } from '../timeouts/budgets.ts';
import { createDeadlines } from '../timeouts/deadline.ts';
import { admit } from './admit.ts';
import { audited, type CallAudit } from './audited.ts';
import { becomeJob, jobWishOf } from './become-job.ts';
import { type Call, type CalledTool, nestedCall, requestedCall, resumingCall } from './call.ts';
import type { Caller, CallRequest } from './call-request.ts';
import { handOverInTime, waitsTooShort } from './hand-over.ts';
import { againAsJob, type Lifetime, lifetimeOf, type OuterCall } from './lifetime.ts';
import { parse } from './parse.ts';
import { assertMayReachOut, needsYes } from './reach-out.ts';
import { type Recorder, recorded } from './record.ts';
import { remembered } from './remembered.ts';
import { run, type WaitForStore } from './run.ts';
import { beginSpan, spanOfRefusal } from './span.ts';
import { startTask } from './start-task.ts';

export interface DispatcherOptions extends Recorder {
  readonly registry: Registry;
  readonly budgets: BudgetSettings;
  readonly limits: SessionLimits;
  readonly permissions: Permissions;
  /** Where calls of long tools go that ask for it. */
  readonly jobs: JobQueue;
  /** Fires when the server stops: calls in flight end, new ones are refused. */
  readonly shutdown: AbortSignal;
  readonly waitForStore?: WaitForStore;
  /** By default no call is written down before it runs. */
  readonly audit?: CallAudit | undefined;
}

export interface Dispatcher {
  /**
   * A call's whole way.
   * @throws {ProtocolError} what leaves as a JSON-RPC error
   */
  call(caller: Caller, request: CallRequest): Promise<ToolCallResult>;
  /**
   * The same as a job that outlives its caller: what `call` would answer is the job's outcome.
   * @throws {ProtocolError} -32601 for a tool that is not long, -32602 for an unknown one
   * @throws {ToolError} NEXUS_CONFLICT when its idempotency key stands for another call
   */
  startTask(caller: Caller, request: CallRequest, ttlMs?: number): Promise<Job>;
  /**
   * Makes the call of a job again that another server left: let in when it was started, whatever its session
   * has in flight or did since.
   * @throws {ProtocolError} what leaves as a JSON-RPC error
   */
  callAgain(caller: Caller, request: CallRequest): Promise<ToolCallResult>;
}

/** @throws {RangeError} budgets out of range */
export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const { registry, jobs, permissions, waitForStore, spans } = options;
  assertBudgetSettings(options.budgets);
  const memoryOf = createSessionMemories(options.limits);
  const deadlines = createDeadlines(options.shutdown);
  const surroundings = { jobs, deadlines, dispatch, isShared, toolsFor, resumeFor, waitForStore };

  /** Every call's way, whether it is a client's, from inside a tool, or a job's: its lifetime tells them apart. */
  function dispatch(call: Call): Promise<ToolCallResult> {
    if (spans?.wants(call.trace)) beginSpan(call);
    const answering = recorded(call, options, () => {
      const loading = call.tool.load?.();
      return loading ? loading.then(() => answered(call)) : answered(call);
    });
    // A client gets what another server answered untouched; a tool and a run read it.
    return call.lifetime.kind === 'nested' ? answering.then(asToolCallResult) : answering;
  }

  /** Not by `await`: each on the way of a call costs a tenth of a short one. */
  function answered(call: Call): Promise<ToolCallResult> {
    parse(call);
    const admitted = admit(call, permissions);
    const { leave, isLong } = admitted;
    const wish = jobWishOf(call);
    if (call.lifetime.kind === 'nested' && !call.tool.passesResultsOn)
      call.tellRepeat?.(mayRetry(call.tool.hints) || wish?.idempotencyKey !== undefined);
    const ran = () => run(call, surroundings);
    const begin = () =>
      wish
        ? becomeJob(call, wish, surroundings)
        : audited(call, options.audit, isLong ? () => nextTurn().then(ran) : ran);
    // To write the call down, its arguments are read through as often as to look at where they go.
    const goOn = isLong ? () => nextTurn().then(begin) : begin;
    const ask = () =>
      needsYes(call, permissions, admitted) ? assertMayReachOut(call, deadlines).then(goOn) : goOn();
    const working = isLong ? nextTurn().then(ask) : ask();
    working.then(leave, leave);
    return working;
  }

  /** @throws {ProtocolError} -32602 */
  function find(name: unknown, { session }: Caller): CalledTool {
    return calledTool(findTool(registry, name, session));
  }

  function calledTool(tool: CalledTool['tool']): CalledTool {
    return { tool, budgetMs: budgetMs(tool, options.budgets) };
  }

  function callOf(caller: Caller, request: CallRequest, lifetime: Lifetime): Call {
    const from = { caller, memory: memoryOf(caller.session), lifetime };
    return requestedCall(find(request.params.name, caller), from, request);
  }

  /** A call from a run's step knows what its run does. */
  function begun(call: Call, { known }: CallRequest): Promise<ToolCallResult> {
    return known ? remembered(call, known, () => dispatch(call)) : dispatch(call);
  }

  function toolsFor(outer: Call, context: OuterCall): ToolCaller {
    const { caller } = outer;
    return {
      ...toolsInSight(registry, caller.session),
      async call(name, params) {
        let called: Call;
        try {
          called = nestedCall(find(name, caller), { outer, context }, params);
        } catch (error) {
          return refused(error);
        }
        return dispatch(called);
      },
    };
  }

  async function resumeFor(outer: Call, context: OuterCall, kind: string, resumption: Resumption) {
    const called = calledTool(toolOfRun(registry, { kind, ...resumption }, outer.caller.session));
    return dispatch(resumingCall(called, { outer, context }, resumption));
  }

  function isShared({ tool }: Call): boolean {
    return registry.get(tool.name) === tool;
  }

  return {
    call(caller, request) {
      try {
        const lifetime = lifetimeOf(request);
        const call = callOf(caller, request, lifetime);
        if (lifetime.kind !== 'direct') return begun(call, request);
        assertNeedsNoTask(call.tool);
        const waitsMs = waitsTooShort(call, options.patience);
        if (waitsMs === undefined) return begun(call, request);
        return handOverInTime({ ...call, lifetime }, waitsMs, surroundings, (going) => begun(going, request));
      } catch (error) {
        if (request.wire && spans?.wants({}))
          spans.end(spanOfRefusal(request, caller.session.id, readable(error)));
        return new Promise((answer) => answer(refused(error)));
      }
    },
    async startTask(caller, request, ttlMs) {
      return startTask(callOf(caller, request, lifetimeOf(request)), surroundings, ttlMs);
    },
    async callAgain(caller, request) {
      return begun(callOf(caller, request, againAsJob(request)), request);
    },
  };
}

/** What is answered for a tool that is held back. @throws whatever else it was */
function refused(error: unknown): ToolCallResult {
  const result = isToolError(error) ? toErrorResult(error) : undefined;
  if (!result) throw error;
  return result;
}
