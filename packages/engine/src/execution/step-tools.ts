import { AnsweredError, ERROR_META_KEY, type ErrorEnvelope, KEY_META, toErrorResult } from '@nexus/core';
import { type ToolCaller, type ToolCallResult, ToolError, type Trace } from '@nexus/plugin-sdk';
import { canonicalJson } from '@nexus/primitives';
import { familyOf } from '../record/family-of.ts';
import { knownOf } from '../record/labels.ts';
import { digestOfText } from '../record/values.ts';
import { shownStart } from '../views/shown-value.ts';
import type { AnswersBefore } from './answers-before.ts';
import type { CallsOfAttempt } from './lost-calls.ts';
import type { RunInstance } from './run-instance.ts';
import type { StepQuestions } from './step-questions.ts';
import { untilReleased } from './until-released.ts';

/** How often a call is made of a run that is resumed as soon as it pauses, or that the store breaks off. */
const MAX_TIMES = 10;
const FAILED: ReadonlySet<string> = new Set(['failed', 'cancelled']);
/** What calls come to as their process ends, and by nothing of their own. */
const OF_AN_END: ReadonlySet<string> = new Set(['NEXUS_SHUTTING_DOWN', 'NEXUS_STORE_UNAVAILABLE']);

export interface ToolsOfStep {
  readonly step: string;
  readonly signal: AbortSignal;
  readonly trace: Trace | undefined;
  readonly key: string;
  readonly questions: StepQuestions;
  readonly made: CallsOfAttempt;
  /** Puts on record that from now on the step is not to be repeated. */
  onlyOnce(): Promise<void>;
  /** Whether that is said by the hints of what it calls, and not by its author. */
  readonly isByHints: boolean;
  /** What runs before had done in its place. */
  readonly before: AnswersBefore | undefined;
}

/** A step's calls carry its key: its second call, in the order of the work, one of its own. */
export function stepTools(
  instance: RunInstance,
  { step, signal, trace, key, questions, made, onlyOnce, isByHints, before }: ToolsOfStep,
): ToolCaller {
  const { services, run } = instance;
  const sayYes = questions.ask;
  const tools = services.tools(run, { step, signal, trace, sayYes, known: knownOf(services.on, run.id) });
  let calls = 0;
  return {
    list: () => tools.list(),
    find: (name) => tools.find(name),
    check: (name, args) => tools.check(name, args),
    reach: async (origin) => tools.reach?.(origin),
    async call(name, params) {
      const result = await answerOnce(name, params);
      if (result.isError) made.failed(errorOf(result));
      return result;
    },
  };

  /** A call that must not be made twice is on record with the step, and is not made where a run before has its answer. */
  async function answerOnce(...[name, params]: Parameters<ToolCaller['call']>): Promise<ToolCallResult> {
    const summary = tools.find(name);
    if (summary?.isRepeatable !== false) return answerTo(name, params);
    const given = canonicalJson(params.arguments ?? {});
    const { origin: tool } = summary;
    const call = { tool, digest: digestOfText(`${tool}\n${given}`) };
    const known = before?.answerTo(call);
    if (known) {
      made.begun();
      calls += 1;
      return known;
    }
    const result = await answerTo(name, params);
    if (!result.isError)
      made.done.push({ ...call, input: shownStart(given), answer: JSON.stringify(result) });
    return result;
  }

  async function answerTo(...[name, params]: Parameters<ToolCaller['call']>): Promise<ToolCallResult> {
    // Of a tool that is not there nothing is done.
    if (isByHints && tools.find(name)?.isRepeatable === false) await onlyOnce();
    made.begun();
    calls += 1;
    const own = calls === 1 ? key : `${key}-${calls}`;
    const meta = params._meta as Readonly<Record<string, unknown>> | undefined;
    for (let times = 1; ; times += 1) {
      const result = await tools
        .call(name, { ...params, _meta: { ...meta, [KEY_META]: own } })
        .catch(resultOfTheirs);
      // The step is done again once a person has answered: what it would make of this is of no use.
      if (questions.open.length > 0)
        throw new ToolError('NEXUS_YES_NEEDED', `${name} waits for a person’s yes.`);
      if (!result.isError) return result;
      const error = errorOf(result);
      const { shutdown } = instance.services;
      // The next process makes it again as after a death: a store that is away as this one ends is not waited for.
      if (shutdown.aborted && error.code !== undefined && OF_AN_END.has(error.code))
        return untilReleased(signal);
      if (error.code === 'NEXUS_STORE_UNAVAILABLE') {
        const mayRepeat = tools.find(name)?.isRepeatable === true;
        // What the call asks of the store waits until that is back.
        if (mayRepeat && times < MAX_TIMES) continue;
        return mayRepeat ? result : afterBreak(name, { result, error });
      }
      if (times === MAX_TIMES || !(await wasResumed(instance, { step, error }))) return result;
    }
  }
}

/** A server that answers with a JSON-RPC error failed as one whose result has `isError`: that is no fault of Nexus. */
function resultOfTheirs(error: unknown): ToolCallResult {
  const result = error instanceof AnsweredError ? toErrorResult(failureOfTheirs(error)) : undefined;
  if (!result) throw error;
  return result;
}

function failureOfTheirs({ whose, code: rpcCode, message, data }: AnsweredError): ToolError {
  const text = `${whose} answered with the JSON-RPC error ${rpcCode}: ${message}`;
  const detail = { server: whose, rpcCode, ...(data === undefined ? {} : { data }) };
  return new ToolError('NEXUS_TOOL_FAILED', text, { detail });
}

function errorOf({ _meta }: ToolCallResult): Partial<ErrorEnvelope> {
  return _meta?.[ERROR_META_KEY] ?? {};
}

/** No call is told that it failed, and so may be made again, where it may have done its work. */
function afterBreak(
  name: string,
  { result, error }: { readonly result: ToolCallResult; readonly error: Partial<ErrorEnvelope> },
): ToolCallResult {
  if (error.detail?.wasWritten === false) return result;
  const text = `The database went away in the middle of ${name}, and nobody knows whether it has done its work; it was not called again, since that could do it twice. Look at its effect first. (${error.message})`;
  return toErrorResult(new ToolError('NEXUS_OUTCOME_UNKNOWN', text, { detail: { tool: name } })) ?? result;
}

/**
 * A run that the call started is of this family, and so is its budget: where it pauses, this one pauses too,
 * and the call is made again under its key once there is more to spend.
 * @returns whether there is by now
 * @throws {ToolError} NEXUS_BUDGET_EXCEEDED
 */
async function wasResumed(
  { services, run }: RunInstance,
  { step, error }: { readonly step: string; readonly error: Partial<ErrorEnvelope> },
): Promise<boolean> {
  const { code, message, detail } = error;
  const { runId } = Object(detail) as { runId?: unknown };
  if (code !== 'NEXUS_BUDGET_EXCEEDED' || typeof runId !== 'string') return false;
  // Any server may say so: it is taken from a run that is known to be this one's.
  const members = await services.on.db
    .selectFrom('runs_runs')
    .select(['id', 'status', 'parent_id', 'parent_step'])
    .where('id', 'in', await familyOf(services.on, runId))
    .where('root_id', '=', run.root_id)
    .execute();
  if (members.some(({ status }) => status === 'paused')) {
    throw new ToolError('NEXUS_BUDGET_EXCEEDED', message ?? 'The budget is spent.', { detail: { runId } });
  }
  const called = members.find(({ id }) => id === runId);
  return called?.parent_id === run.id && called.parent_step === step && !FAILED.has(called.status);
}
