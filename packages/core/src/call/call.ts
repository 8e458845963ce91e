import type { CallInputs, Resumption, RunOfCall, Trace } from '@nexus/plugin-sdk';
import type { JobWish } from '../jobs/job-arguments.ts';
import { type JobRun, KEY_META } from '../jobs/job-queue.ts';
import { isRecord } from '../json-type.ts';
import type { AskYes } from '../labels/known.ts';
import { Taint } from '../labels/taint.ts';
import type { SessionMemory } from '../policy/session-memory.ts';
import type { RegisteredTool } from '../registry/registered-tool.ts';
import type { Recovery } from '../registry/validate-call.ts';
import type { ProgressReport } from '../timeouts/progress.ts';
import type { Caller, CallRequest, Wire } from './call-request.ts';
import type { ClientRequests } from './client-requests.ts';
import { toCallInputs } from './inputs.ts';
import { type Lifetime, nestedIn, type OuterCall } from './lifetime.ts';
import type { LostWork } from './lost-within.ts';
import { traceOf } from './trace.ts';

/** A call of a known tool: what its stages read, and the little that they find out. Made once, by one of three. */
export interface Call {
  readonly tool: RegisteredTool;
  readonly budgetMs: number;
  readonly caller: Caller;
  readonly lifetime: Lifetime;
  readonly params: Readonly<Record<string, unknown>>;
  /** Keys of `params` that say which tool it is, and are never arguments. */
  readonly address: readonly string[];
  /** The `_meta` that the client sent. */
  readonly meta: Readonly<Record<string, unknown>>;
  /** How it came in; undefined for all that no client sent. */
  readonly wire: Wire | undefined;
  readonly run: RunOfCall | undefined;
  readonly progress: ((report: ProgressReport) => void) | undefined;
  readonly ask: ClientRequests | undefined;
  /** Told whether this may be made again, where it is all that its client's call does. */
  readonly tellRepeat: CallRequest['tellRepeat'];
  /** Told of the run whose answer is that of its client's call. */
  readonly tellRun: CallRequest['tellRun'];
  /** Of its client's call, whose answer holds what this one comes to. */
  readonly afterAnswer: CallRequest['afterAnswer'];
  /** Of a run's step, and of what that calls: a person's word that the run has asked for. */
  readonly sayYes: AskYes | undefined;
  readonly memory: SessionMemory;
  /** What it was suspended on before: its own alone, and no other's that it makes. */
  readonly inputs: CallInputs | undefined;
  /** The run that it goes on with, in the place of arguments. */
  readonly resumes: Resumption | undefined;
  /** What it comes to know, and what went into it. */
  readonly taint: Taint;
  /** Whether its client may give up on it first: it then goes on as a job, which that of a long tool is from the start. */
  readonly goesOn: boolean;
  /** Whether a client made it, or the server for itself: no answer of a tool went into it here. */
  readonly isOwn: boolean;
  /** From inside whose tool it comes. */
  readonly outer: Call | undefined;
  /** The first call from inside its tool, or run that it was told of, that is of unknown outcome. */
  lost: LostWork | undefined;
  /** What it calls is part of that; since it has a span, of this. */
  trace: Trace;
  /** Since it is dispatched: what is told of it when it is over; undefined where nobody takes that. */
  span: CallSpan | undefined;
  /** Since it was parsed; a job has them of the call that became it. */
  parsed: ParsedArguments | undefined;
  /** Since it became a job: that has its run, and is recorded in its place. */
  jobId: string | undefined;
}

/** A call as a part of its trace. */
export interface CallSpan {
  readonly id: string;
  readonly parentId: string | undefined;
}

/** What the `params` of a call came to. */
export interface ParsedArguments {
  /** What the tool's schema made of them, without what asks for a job: what the tool gets. */
  readonly value: unknown;
  /** As they passed the schema. */
  readonly arguments: Readonly<Record<string, unknown>>;
  /** How it is to run; undefined for a tool whose calls can't become jobs. */
  readonly wish: JobWish | undefined;
  /** What was done so that they mean what was meant; undefined for a canonical call. */
  readonly recovery: Recovery | undefined;
}

export interface ParsedCall extends Call {
  parsed: ParsedArguments;
}

/** The tool of a call, and how long it may take. */
export type CalledTool = Pick<Call, 'tool' | 'budgetMs'>;

/** In a direct call `name` is the tool's and never an argument. */
const DIRECT = ['name'] as const;

export function requestedCall(
  { tool, budgetMs }: CalledTool,
  { caller, memory, lifetime }: Pick<Call, 'caller' | 'memory' | 'lifetime'>,
  {
    params,
    run,
    trace,
    wire,
    asked,
    progress,
    ask,
    tellRepeat,
    tellRun,
    afterAnswer,
    sayYes,
    inputs,
    resumes,
  }: CallRequest,
): Call {
  // A step’s call knows what its run’s family does.
  const taint = new Taint(run && memory.taintOf(caller.session));
  if (asked !== undefined) taint.said(asked);
  return {
    tool,
    budgetMs,
    caller,
    lifetime,
    params,
    address: DIRECT,
    meta: isRecord(params._meta) ? params._meta : {},
    trace: trace ?? traceOf(params._meta),
    span: undefined,
    wire,
    run,
    progress,
    ask,
    tellRepeat,
    tellRun,
    afterAnswer,
    sayYes,
    memory,
    inputs: inputs && toCallInputs(inputs),
    resumes,
    taint,
    goesOn: false,
    isOwn: run === undefined,
    outer: undefined,
    lost: undefined,
    parsed: resumes && NO_ARGUMENTS,
    jobId: undefined,
  };
}

const NO_ARGUMENTS: ParsedArguments = { value: {}, arguments: {}, wish: undefined, recovery: undefined };

/** A call from inside the tool of `outer`, which runs in `context`: on behalf of the same caller. */
export function nestedCall(
  { tool, budgetMs }: CalledTool,
  { outer, context }: { readonly outer: Call; readonly context: OuterCall },
  params: Call['params'],
): Call {
  return {
    tool,
    budgetMs,
    caller: outer.caller,
    lifetime: nestedIn(outer.lifetime, context),
    params,
    address: [],
    meta: ownMeta(params, outer.meta),
    trace: outer.trace,
    span: undefined,
    wire: undefined,
    run: outer.run,
    progress: undefined,
    ask: outer.ask,
    tellRepeat: outer.tool.passesResultsOn ? outer.tellRepeat : undefined,
    tellRun: outer.tool.passesResultsOn ? outer.tellRun : undefined,
    afterAnswer: outer.afterAnswer,
    sayYes: outer.sayYes,
    memory: outer.memory,
    inputs: undefined,
    resumes: undefined,
    taint: new Taint(outer.taint),
    goesOn: false,
    isOwn: false,
    outer,
    lost: undefined,
    parsed: undefined,
    jobId: undefined,
  };
}

/** A call from inside such a tool, of the tool that a run is of, to go on with that run: made again, it is the same. */
export function resumingCall(
  called: CalledTool,
  from: { readonly outer: Call; readonly context: OuterCall },
  resumes: Resumption,
): Call {
  const { [KEY_META]: key } = from.outer.meta;
  const params = key === undefined ? {} : { _meta: { [KEY_META]: key } };
  return { ...nestedCall(called, from, params), resumes, inputs: from.outer.inputs, parsed: NO_ARGUMENTS };
}

/** The same call as the job that it becomes; what its own caller's connection gave it, the job gives. */
export function jobCall(
  call: Call,
  { signal, idempotencyKey, trace = call.trace }: JobRun,
  connection: Pick<Call, 'progress' | 'ask' | 'caller'>,
): Call {
  return {
    ...call,
    ...connection,
    lifetime: { kind: 'job', end: signal, isAgain: false },
    trace,
    wire: undefined,
    // It goes on when the step that it comes from is over.
    sayYes: undefined,
    meta: { ...call.meta, [KEY_META]: idempotencyKey },
    outer: undefined,
    lost: undefined,
    jobId: undefined,
  };
}

/** What a tool passes on is its caller's; the key that tells a repetition is of the one call that brings it. */
function ownMeta(params: Call['params'], inherited: Call['meta']): Call['meta'] {
  const own = isRecord(params._meta) ? params._meta : {};
  const { [KEY_META]: _, ...rest } = inherited;
  return KEY_META in own ? { ...rest, [KEY_META]: own[KEY_META] } : rest;
}
