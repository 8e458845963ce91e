import type { Job, Log, Root, RunOfCall, ToolCallResult, Trace } from '@nexus/plugin-sdk';
import type { ClientRequests } from './client-requests.ts';
import type { CallFailure } from './errors/failure.ts';
import type { JobQueue } from './jobs/job-queue.ts';
import type { Permissions } from './policy/permissions.ts';
import type { SessionLimits } from './policy/session-memory.ts';
import type { Registry } from './registry/registry.ts';
import type { Recovery } from './registry/validate-call.ts';
import type { BudgetSettings } from './timeouts/budgets.ts';
import type { EndSignal } from './timeouts/end-signal.ts';
import type { MismatchEvent } from './timeouts/mismatch.ts';
import type { ProgressReport } from './timeouts/progress.ts';

/** Who calls: what a tool may learn of its session. */
export interface Caller {
  readonly sessionId: string;
  /** Where an issuer said who it is; absent for the server's own user. */
  readonly user?: string | undefined;
  readonly client: { readonly name: string; readonly version: string };
  readonly log: Log;
  /** The project, as far as its way in is trusted with more or less. */
  roots(): Promise<readonly Root[]>;
}

export interface CallRequest {
  /** The raw `params` of `tools/call`. */
  readonly params: Readonly<Record<string, unknown>>;
  /** The client's cancel, or its going. */
  readonly signal: EndSignal;
  /** The step of a run that it comes from: said by who runs it, and read from nothing that a client sends. */
  readonly run?: RunOfCall | undefined;
  /** Once `signal` fired: whether the client has gone, which ends no call that has an idempotency key. */
  hasGone?(): boolean;
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
  readonly limits: SessionLimits;
  readonly permissions: Permissions;
  /** Where calls of long tools go that ask for it. */
  readonly jobs: JobQueue;
  /** Fires when the server stops: calls in flight end, new ones are refused. */
  readonly shutdown: AbortSignal;
  readonly log: Log;
  /** Masks secrets in what a call that failed tells: its text, its detail, its record. */
  redact<Value>(value: Value): Value;
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
  /**
   * The same as a job that outlives its caller: what `call` would answer is the job's outcome.
   * @throws {ProtocolError} -32601 for a tool that is not long, -32602 for an unknown one
   * @throws {ToolError} NEXUS_CONFLICT when its idempotency key stands for another call
   */
  startTask(caller: Caller, request: CallRequest, ttlMs?: number): Promise<Job>;
  /** Forgets the session's rate and what succeeded in it. */
  endSession(sessionId: string): void;
}
