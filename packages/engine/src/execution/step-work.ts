import {
  isToolError,
  type RetryPolicy,
  type StepContext,
  type StepOptions,
  ToolError,
} from '@nexus/plugin-sdk';
import { canonicalJson } from '@nexus/primitives';
import type { Timer } from '../ground.ts';
import type { DoneCall } from '../record/calls.ts';
import { isRetryable } from '../record/errors.ts';
import { isUnknown } from '../record/kept-steps.ts';
import { isAway } from '../record/patience.ts';
import { confirmOwner } from '../record/paying.ts';
import { askForStep, isAsking, type StepQuestion } from '../record/questions.ts';
import { stepKey } from '../record/step-key.ts';
import {
  attemptsCutShort,
  beginStep,
  beginWait,
  callOff,
  closeUntold,
  dueIn,
  endStep,
  type KeptOutcome,
  markOnce,
  type StepOutcome,
  toKept,
  waitOn,
} from '../record/steps.ts';
import type { StepRow } from '../record/tables.ts';
import { digestOf, digestOfText } from '../record/values.ts';
import { shownStart } from '../views/shown-value.ts';
import { stepTitle } from '../views/step-title.ts';
import { AnswersBefore, outcomeBefore } from './answers-before.ts';
import { AttemptContext } from './attempt-context.ts';
import { CallsOfAttempt } from './lost-calls.ts';
import { isBudgetExceeded, type RunInstance } from './run-instance.ts';
import { never, unkept } from './run-writer.ts';
import { stepLedger } from './step-ledger.ts';
import { StepQuestions } from './step-questions.ts';
import { stillOurs } from './still-ours.ts';

export type StepWork = (step: StepContext) => unknown;

const DEFAULT_LOOP_LIMIT = 3;
/** Work that took no longer is done again sooner than a commit waits for the disk twice. */
const CHEAP_MS = 20;
/** How often work is done again that failed by a store that is away, beside what its policy says. */
const MAX_AWAY = 5;
/** The longest that a timer can be set at once; whoever waits looks at the database's clock again. */
const MAX_TIMER_MS = 3_600_000;

/**
 * Does the work of a step that has not ended on record, again as far as its policy goes.
 * @param row what is on record of it
 * It has its end from the delivery, in the order of the record.
 */
export async function doStep(
  instance: RunInstance,
  step: { name: string; work: StepWork; options: StepOptions; row: StepRow | undefined },
): Promise<void> {
  const { name, work, options, row } = step;
  const { on } = instance.services;
  const title = stepTitle({ name, title: options.title ?? name });
  const given = options.input === undefined ? undefined : canonicalJson(options.input);
  const digest = given === undefined ? null : digestOfText(given);
  const input = given === undefined ? null : shownStart(given);
  const { root_id: rootId } = instance.run;
  let attempt = row?.attempt ?? 0;
  // Not the step's own failures: they are none of those that its policy allows.
  const hasAsked = row?.status === 'waiting' && row.wake_at === null;
  let cutShort =
    row && (options.retry || hasAsked)
      ? await instance.writer.read(() => attemptsCutShort(on, instance.run.id, name))
      : 0;
  let timesAway = 0;
  let isTakenUp = row !== undefined;
  const isQuiet = options.retry?.isQuiet === true;
  const before = instance.run.rerun_of === null ? undefined : await instance.doneBefore(name);
  const asked = { name, digest, isRepeatable: options.isRepeatable };
  const whole = before && (await instance.writer.read(() => outcomeBefore(on, before, asked)));
  if (row?.status === 'waiting') {
    const asked = { name, title, kind: 'question' as const, attempt };
    const over = hasAsked ? on.spans?.began(instance.run, asked, Number(row.started_at)) : undefined;
    if (isQuiet) instance.delivery.seeks(name);
    await untilDue(instance, name);
    await untilAnswered(instance, name);
    over?.();
  }
  for (;;) {
    if (instance.beginsNothing) return never();
    attempt += 1;
    const now = attempt;
    let isRepeatable = whole ? true : (options.isRepeatable ?? true);
    let marked: Promise<void> | undefined;
    const mark = async () => {
      const askedAt = on.ground.now();
      await instance.orGone(instance.writer.write(() => markOnce(instance.token, { name, attempt: now })));
      await stillOurs(on.ground, askedAt, () => isStill(instance));
    };
    // Of calls side by side each waits for it.
    const onlyOnce = async () => {
      if (isRepeatable) {
        isRepeatable = false;
        marked = mark();
      }
      await marked;
    };
    const ofStep = { name, title, kind: 'step' as const, attempt: now, tries: now - cutShort };
    let over: ReturnType<NonNullable<typeof on.spans>['began']> | undefined;
    // From before its beginning is written, and until what it came to is to be: a run that pauses or ends does so after it.
    const written = await instance.doing.working(name, async (): Promise<Written | undefined> => {
      const begins = !isQuiet || now === 1;
      let isOff = !begins;
      const askedAt = on.ground.now();
      if (begins) {
        const isCalledOff = () => {
          isOff = instance.signal.aborted;
          return isOff;
        };
        const beginning = { name, title, attempt: now, digest, input, isRepeatable, isCalledOff };
        await instance.orGone(
          instance.writer.write((seq) => beginStep(on, instance.token, { ...beginning, seq })),
        );
      }
      if (!isRepeatable) await stillOurs(on.ground, askedAt, () => isStill(instance));
      if (instance.signal.aborted) {
        // Nothing of it was done: nobody is told that it may have been.
        if (!isRepeatable && !isOff) await instance.orGone(putOff(instance, { name, attempt: now }));
        return undefined;
      }
      instance.services.onRecorded(instance.run.id);
      const begunAt = on.ground.now();
      over = on.spans?.began(instance.run, ofStep);
      // A failure of the work may come of what it was answered.
      const isFirst = !options.retry || now - cutShort === 1;
      const answers = before && isFirst ? new AnswersBefore(before) : undefined;
      const attempt = { name, work, options, attempt: now, isTakenUp, before: answers, onlyOnce };
      const tried = whole ? ofRecord(whole) : await attemptOnce(instance, attempt);
      if (!tried) return undefined;
      if ('asks' in tried) {
        // No attempt of its own, and what it was answered until then stands.
        cutShort += 1;
        isTakenUp = true;
        const asking = { name, attempt: now, asks: tried.asks };
        return { wait: instance.writer.write((seq) => askForStep(on, instance.token, { ...asking, seq })) };
      }
      const outcome = isRepeatable ? tried.outcome : asUnknown(tried.outcome);
      over?.('error' in outcome ? (outcome.error ?? new Error('undefined')) : undefined);
      const isCheap = isRepeatable && on.ground.now() - begunAt < CHEAP_MS;
      // No run fails by what it stands on; the wait itself is on record once the store is back.
      const isGround = isRepeatable && timesAway < MAX_AWAY && 'error' in outcome && isAway(outcome.error);
      if (isGround) {
        timesAway += 1;
        cutShort += 1;
      }
      // What it was answered stands where it was not the work that failed.
      isTakenUp = isGround;
      const paidBy = tried.isPaid && !isGround ? rootId : undefined;
      if (!isGround && !mayTryAgain(outcome, options.retry, now - cutShort))
        return {
          end: keepOutcome(instance, { name, attempt: now, outcome, isCheap, paidBy, calls: tried.calls }),
        };
      const ms = isGround ? pauseOf(undefined, timesAway) : pauseOf(options.retry, now - cutShort);
      if (isQuiet)
        return {
          ms,
          wait: instance.writer.write(() => waitOn(on, instance.token, { name, attempt: now, ms })),
        };
      const { error } = outcome as { error: unknown };
      const wait = { name, title, kind: 'step' as const, attempt: now, ms, error, paidBy };
      return { ms, wait: instance.writer.write((seq) => beginWait(on, instance.token, { ...wait, seq })) };
    });
    if (!written) return never();
    if ('end' in written) return written.end;
    await written.wait;
    instance.services.onRecorded(instance.run.id);
    if (written.ms === undefined) {
      await untilAnswered(instance, name);
      over?.(undefined, 'question');
    } else {
      if (isQuiet) instance.delivery.seeks(name);
      await untilDue(instance, name, { firstMs: written.ms });
    }
  }
}

interface Attempt {
  readonly name: string;
  readonly work: StepWork;
  readonly options: StepOptions;
  readonly attempt: number;
  /** Whether an earlier process, or an earlier pause of this run, was in the middle of it. */
  readonly isTakenUp: boolean;
  /** What runs before had done in its place. */
  readonly before: AnswersBefore | undefined;
  onlyOnce(): Promise<void>;
}

/** What an attempt came to, and whether calls of it are on record with what they cost. */
interface Tried {
  readonly outcome: StepOutcome;
  readonly isPaid: boolean;
  readonly calls: readonly DoneCall[];
}

const ofRecord = (outcome: StepOutcome): Tried => ({ outcome, isPaid: false, calls: [] });

/** What a person is to say yes to before it can be done. */
interface Asking {
  readonly asks: readonly StepQuestion[];
}

/** On its way to the record: the end of a step, or its wait to be tried again, for a time or for an answer. */
type Written = { readonly end: Promise<void> } | { readonly wait: Promise<void>; readonly ms?: number };

/**
 * Ends with the run, or the attempt's own time, even where the work does not.
 * @returns undefined where the run has left this process, or pauses, and nothing is to be kept
 */
async function attemptOnce(
  instance: RunInstance,
  { name, work, options, attempt, isTakenUp, before, onlyOnce }: Attempt,
): Promise<Tried | Asking | undefined> {
  const { on } = instance.services;
  const own = new AbortController();
  const { signal } = instance;
  const { timeoutMs } = options;
  const onEnd = () => own.abort(signal.reason);
  const timer =
    timeoutMs === undefined
      ? undefined
      : on.ground.after(timeoutMs, () => {
          const text = `The step "${name}" did not end within ${timeoutMs} ms.`;
          own.abort(new ToolError('NEXUS_TIMEOUT', text, { detail: { timeoutMs } }));
        });
  signal.addEventListener('abort', onEnd, { once: true });
  if (signal.aborted) onEnd();
  const ended = new Promise<never>((_, reject) => {
    own.signal.addEventListener('abort', () => reject(own.signal.reason), { once: true });
    if (own.signal.aborted) reject(own.signal.reason);
  });
  ended.catch(() => {});
  const idempotencyKey = stepKey(instance.run.id, name);
  const questions = new StepQuestions(instance, name);
  const trace = on.spans?.within(instance.run, { name, title: name, kind: 'step', attempt });
  const ledger = stepLedger(instance, { step: name, attempt, isTakenUp, before, signal: own.signal });
  const made = new CallsOfAttempt();
  const tried = (outcome: StepOutcome): Tried => ({ outcome, isPaid: ledger.isUsed(), calls: made.done });
  const context = new AttemptContext(instance, {
    ...{ step: name, attempt, signal: own.signal, idempotencyKey, questions, ledger, trace, made },
    onlyOnce,
    isByHints: options.isRepeatable === undefined,
    before,
  });
  let output: unknown;
  try {
    output = await Promise.race([instance.doing.working(name, async () => work(context)), ended]);
  } catch (thrown) {
    // What ended because the run did, here, is no outcome of the work.
    if (instance.isOver || signal.aborted) return undefined;
    if (questions.open.length > 0 && !made.hasLost) return { asks: questions.open };
    const error = await instance.orGone(made.errorOf(instance, name, thrown));
    if (instance.isOver) return undefined;
    if (!isBudgetExceeded(error)) return tried({ error });
    // Both are one write, where nothing else runs: who sees that it waits, and resumes it, finds it paused.
    const step = { name, attempt, title: stepTitle({ name, title: options.title ?? name }), error };
    postpone(instance, step).catch((refusal: unknown) => instance.delivery.fail(name, refusal));
    void instance.pause(error);
    return undefined;
  } finally {
    on.ground.clear(timer);
    signal.removeEventListener('abort', onEnd);
  }
  if (instance.isOver) return undefined;
  if (questions.open.length === 0) return tried({ output });
  // Asked, it would be done again once it is answered.
  if (!made.hasLost) return { asks: questions.open };
  const needed = new Error(`The step "${name}" needs a person’s yes.`);
  const error = await instance.orGone(made.errorOf(instance, name, needed));
  return instance.isOver ? undefined : tried({ error });
}

/** Asks the record whether the run is this process's: it is gone from here where it is not. */
function isStill(instance: RunInstance): Promise<unknown> {
  const { on } = instance.services;
  return instance.orGone(instance.writer.read(() => confirmOwner(on, instance.token)));
}

/** On record as a step of which only the beginning is. */
function putOff(instance: RunInstance, step: { name: string; attempt: number }): Promise<void> {
  const { on } = instance.services;
  return instance.writer.write((seq) => callOff(on, instance.token, { ...step, seq }));
}

/** On record as not done: it is begun anew when the run is resumed. */
async function postpone(
  instance: RunInstance,
  step: { name: string; title: string; attempt: number; error: unknown },
): Promise<void> {
  const { on } = instance.services;
  await instance.orGone(
    instance.writer.write((seq) => beginWait(on, instance.token, { ...step, kind: 'step', seq, ms: 0 })),
  );
}

async function keepOutcome(
  instance: RunInstance,
  step: {
    name: string;
    attempt: number;
    outcome: StepOutcome;
    isCheap: boolean;
    paidBy: string | undefined;
    calls: readonly DoneCall[];
  },
): Promise<void> {
  const { name, attempt, isCheap, paidBy, calls } = step;
  const { on } = instance.services;
  const keep = async (make: () => KeptOutcome) => {
    const outcome = make();
    if ('error' in outcome && isUnknown(outcome.error)) {
      const { error } = outcome;
      await instance.writer.write(() => closeUntold(on, instance.token, { name, error, paidBy }));
      await instance.takeEnd({ name, attempt, status: 'failed', output: null, error });
      return outcome;
    }
    const end = { name, attempt, outcome, paidBy, calls };
    await instance.writer.end((seq) => endStep(on, instance.token, { ...end, seq }), { isCheap });
    return outcome;
  };
  // An answer that can't be kept is the step's failure: the work is done, and not done again.
  const kept = await keep(() => toKept(step.outcome)).catch((error: unknown) =>
    keep(() => toKept({ error: unkept(name, error) })),
  );
  instance.services.onRecorded(instance.run.id);
  if ('output' in kept) instance.services.onAdvanced(instance.run.id);
}

/** What must not be done twice and took longer than it may is done, half done, or still at it. */
function asUnknown(outcome: StepOutcome): StepOutcome {
  if (!('error' in outcome)) return outcome;
  const { error } = outcome;
  if (!isToolError(error) || error.code !== 'NEXUS_TIMEOUT' || error.detail?.wasWritten === false)
    return outcome;
  const text = `${error.message} It may have been done by then, and must not be done twice.`;
  return { error: new ToolError('NEXUS_OUTCOME_UNKNOWN', text, { cause: error }) };
}

function mayTryAgain(outcome: StepOutcome, retry: RetryPolicy | undefined, attempt: number): boolean {
  if (!('error' in outcome) || !retry || attempt >= retry.attempts) return false;
  // Whoever looks at its effect first may have it done again; no policy does.
  if (isToolError(outcome.error) && outcome.error.code === 'NEXUS_OUTCOME_UNKNOWN') return false;
  return (retry.isRetryable ?? ((error) => isToolError(error) && isRetryable(error.code)))(outcome.error);
}

function pauseOf(retry: RetryPolicy | undefined, attempt: number): number {
  const { delayMs = 1_000, maxDelayMs = 60_000 } = retry ?? {};
  return Math.min(maxDelayMs, delayMs * 2 ** (attempt - 1));
}

/** Waits for the answers to what the step asks; any process that has the run then does it again. */
async function untilAnswered(instance: RunInstance, name: string): Promise<void> {
  const { on } = instance.services;
  await instance.doing.whileOpen(() => instance.writer.read(() => isAsking(on, instance.run.id, name)));
  if (instance.isOver) return never();
}

/**
 * Waits by the database's clock: a timer of this machine only says when to ask it.
 * @param firstMs how long it is until then, where that is known
 * @param sooner what ends the wait before its time
 * @returns whether its time has come
 */
export async function untilDue(
  instance: RunInstance,
  name: string,
  { firstMs, sooner }: { readonly firstMs?: number | undefined; readonly sooner?: Promise<void> } = {},
): Promise<boolean> {
  const { on } = instance.services;
  let left = firstMs ?? (await readDue(instance, name));
  let isSooner = false;
  void sooner?.then(() => {
    isSooner = true;
  });
  while (left > 0) {
    let timer: Timer | undefined;
    const due = new Promise<void>((resolve) => {
      timer = on.ground.after(Math.min(left, MAX_TIMER_MS), resolve);
      timer.unref();
    });
    await instance.doing.idle(sooner ? Promise.race([due, sooner]) : due);
    on.ground.clear(timer);
    if (instance.isOver) return never();
    if (isSooner) return false;
    left = await readDue(instance, name);
  }
  return true;

  async function readDue({ run }: RunInstance, step: string): Promise<number> {
    return instance.writer.read(() => dueIn(on, run.id, step));
  }
}

/** @throws {ToolError} NEXUS_LOOP for what an agent asks again and again */
export function assertNoLoop(instance: RunInstance, { guard }: StepOptions): void {
  if (!guard) return;
  const { agent, tool, atMost = DEFAULT_LOOP_LIMIT } = guard;
  const times = instance.asked.countGuarded(digestOf([agent, tool, guard.arguments]));
  if (times < atMost) return;
  const text = `${agent} has called ${tool} with the same arguments ${times} times already; the answer stays the same. Go on with what is known, or ask something else.`;
  throw new ToolError('NEXUS_LOOP', text, { detail: { agent, tool, times } });
}
