import {
  isToolError,
  LABEL_META_KEY,
  type Log,
  NORMALIZED_META_KEY,
  type Spans,
  type ToolCallResult,
  type Trace,
} from '@nexus/plugin-sdk';
import { answerFailure } from '../errors/answer-failure.ts';
import { type CallFailure, failureOfError, failureOfResult } from '../errors/failure.ts';
import { readable } from '../errors/plain-json.ts';
import { saysAsync } from '../jobs/job-arguments.ts';
import { isRecord } from '../json-type.ts';
import { labelOf } from '../labels/label.ts';
import type { Recovery } from '../registry/validate-call.ts';
import {
  type CallOutcome,
  exceedsClientDefault,
  logRow,
  MCP_SDK_DEFAULT_MS,
  type Mismatch,
  type MismatchEvent,
  mismatchEvent,
  startMismatch,
  warnOfMismatch,
} from '../timeouts/mismatch.ts';
import type { ClientPatience } from '../timeouts/patience.ts';
import type { Call } from './call.ts';
import { rulesOf, wasGivenUp } from './lifetime.ts';
import { lostWithin, noteLost } from './lost-within.ts';
import { spanOf } from './span.ts';

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

export interface Recorder {
  readonly log: Log;
  /** Masks secrets in what a call that failed tells: its text, its detail, its record. */
  redact<Value>(value: Value): Value;
  /** Takes each finished call; does not throw, since the call is over. */
  record(record: CallRecord): void;
  /** By default nobody takes spans. */
  readonly spans?: Spans | undefined;
  /** Learns from calls that their clients gave up; by default nothing is known of any. */
  readonly patience?: ClientPatience | undefined;
  /** Takes the row of each call that its client may have given up on; does not throw. */
  recordMismatch(event: MismatchEvent): void;
}

/**
 * Does the work of a call and records what it comes to, its tool errors as results. A call that became a job
 * is recorded as that; how long its client waited is recorded here all the same.
 * @throws {ProtocolError} what leaves as a JSON-RPC error
 */
export async function recorded(
  call: Call,
  recorder: Recorder,
  work: () => Promise<ToolCallResult>,
): Promise<ToolCallResult> {
  const { tool, memory } = call;
  const { redact, spans } = recorder;
  const mayOutlast = mayOutlastClient(call);
  const mismatch = mayOutlast && isToldOf(call) ? mismatchOf(call) : undefined;
  const startedAtMs = Date.now();
  let failure: CallFailure | undefined;
  let result: ToolCallResult | undefined;
  let isWarnedOf = false;
  try {
    let working: Promise<ToolCallResult>;
    try {
      working = work();
    } finally {
      // Also where it is refused before it has begun.
      if (mismatch) isWarnedOf = warnOnce(call, mismatch);
    }
    const answered = await working;
    const lost = lostWithin(call, failureOfResult(answered));
    if (lost) throw lost;
    result = answered;
    failure = redact(failureOfResult(answered));
    if (!failure && !isRecordedAsJob(call)) memory.succeeded.add(tool.name);
    return labelled(withRecovery(failure ? redact(answered) : answered, call), call);
  } catch (thrown) {
    const own = readable(thrown);
    const lost = lostWithin(call, failureOfError(own));
    if (lost)
      recorder.log.warn('a tool failed after a call of unknown outcome', { tool: tool.name, err: own });
    const error = lost ?? own;
    failure = redact(failureOfError(error));
    return labelled(withRecovery(answerFailure(tool, error, recorder), call), call);
  } finally {
    noteLost(call, failure);
    const outcome = { startedAtMs, endedAtMs: Date.now(), error: failure };
    if (call.lifetime.end.aborted) learnPatience(call, recorder.patience, outcome);
    if (call.span && spans)
      spans.end(
        spanOf(call, call.span, {
          ...outcome,
          result: spans.contents ? result : undefined,
          withContents: spans.contents,
        }),
      );
    if (!isRecordedAsJob(call)) recorder.record(recordOf(call, outcome));
    if (mayOutlast && isRow(call, outcome)) {
      const row = mismatchEvent(mismatch ?? mismatchOf(call), outcome);
      recorder.recordMismatch(row);
      if (!isWarnedOf) setImmediate(logRow, row, call.caller.log);
    }
  }
}

/** A call that was ended before its client's own time was over says nothing of that. */
function learnPatience(
  { caller, lifetime, progress }: Call,
  patience: ClientPatience | undefined,
  { startedAtMs, endedAtMs }: CallOutcome,
): void {
  if (lifetime.kind !== 'direct' || !wasGivenUp(lifetime)) return;
  const { reason } = lifetime.end;
  // Of the job that it went on as.
  if (isToolError(reason)) return;
  patience?.gaveUp(caller, { afterMs: endedAtMs - startedAtMs, reason, hasProgress: progress !== undefined });
}

function recordOf(
  { tool, caller, trace, parsed }: Call,
  { startedAtMs, endedAtMs, error }: Pick<CallRecord, 'startedAtMs' | 'endedAtMs' | 'error'>,
): CallRecord {
  return {
    toolName: tool.name,
    sessionId: caller.session.id,
    trace,
    recovery: parsed?.recovery,
    startedAtMs,
    endedAtMs,
    error,
  };
}

function isRecordedAsJob({ jobId }: Call): boolean {
  return jobId !== undefined;
}

function mayOutlastClient({ tool, budgetMs, lifetime, params, progress }: Call): boolean {
  if (!rulesOf(lifetime).isClients || (tool.isLong && saysAsync(params))) return false;
  return exceedsClientDefault({ budgetMs, hasProgressToken: progress !== undefined });
}

/** At its start: all that have a row, and of what is passed on, which is called most, the first. */
function isToldOf(call: Call): boolean {
  return !isPassedOn(call) || !call.memory.warnedOf.has(call.tool.name);
}

/** What is passed on has a row only where a client did wait too long: its budget says nothing of how long it takes. */
function isRow(call: Call, { startedAtMs, endedAtMs }: CallOutcome): boolean {
  return !isPassedOn(call) || endedAtMs - startedAtMs > MCP_SDK_DEFAULT_MS;
}

/** To a tool of another server, by its own name or by use_tool. */
function isPassedOn({ tool }: Call): boolean {
  return tool.origin !== undefined || tool.passesResultsOn === true;
}

function mismatchOf({ tool, budgetMs }: Call): Mismatch {
  return startMismatch({ toolName: tool.name, budgetMs });
}

/**
 * In the session's log, which its client hears, too, once it has asked for messages: it is the one that will give up.
 * After this turn, with whose end what the call sends elsewhere leaves: it need not wait for the log.
 */
function warnOnce({ tool, memory, caller }: Call, mismatch: Mismatch): boolean {
  if (memory.warnedOf.has(tool.name)) return false;
  memory.warnedOf.add(tool.name);
  setImmediate(warnOfMismatch, mismatch, caller.log);
  return true;
}

/**
 * Also an error: its words may be those of whoever answered. What another server answers stays as it came, and is
 * untrusted without a word.
 */
function labelled(result: ToolCallResult, { tool, taint }: Call): ToolCallResult {
  const label = taint.labelWith(labelOf(tool));
  taint.arrived(label, tool.name);
  if (tool.origin !== undefined || tool.passesResultsOn) return result;
  return { ...result, _meta: { ...result._meta, [LABEL_META_KEY]: label } };
}

/** Of a call that passes on what another answered, beside what is said of that one's arguments. */
function withRecovery(result: ToolCallResult, { parsed, tool }: Call): ToolCallResult {
  if (!parsed?.recovery) return result;
  const inner = tool.passesResultsOn ? result._meta?.[NORMALIZED_META_KEY] : undefined;
  const recovery = isRecord(inner) ? joined(parsed.recovery, inner) : parsed.recovery;
  return { ...result, _meta: { ...result._meta, [NORMALIZED_META_KEY]: recovery } };
}

function joined(recovery: Recovery, inner: Readonly<Record<string, unknown>>) {
  const both = Object.entries(recovery).map(([key, value]) => {
    const other = inner[key];
    return [key, Array.isArray(value) && Array.isArray(other) ? [...value, ...other] : value];
  });
  return { ...inner, ...Object.fromEntries(both) };
}
