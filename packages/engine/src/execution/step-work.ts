import { errorTable, isKnownCode } from '@nexus/core';
import {
  isToolError,
  type RetryPolicy,
  type StepContext,
  type StepOptions,
  type ToolCaller,
  ToolError,
} from '@nexus/plugin-sdk';
import {
  beginStep,
  beginWait,
  dueIn,
  endStep,
  type KeptOutcome,
  type StepOutcome,
  toKept,
} from '../record/steps.ts';
import type { StepRow } from '../record/tables.ts';
import { digestOf, digestOfText } from '../record/values.ts';
import { isBudgetExceeded, type RunInstance } from './run-instance.ts';
import { never, unkept } from './run-writer.ts';
import { stepLedger } from './step-ledger.ts';
import { stepTools } from './step-tools.ts';

export type StepWork = (step: StepContext) => unknown;

const DEFAULT_LOOP_LIMIT = 3;
/** Work that took no longer is done again sooner than a commit waits for the disk twice. */
const CHEAP_MS = 20;
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
  const title = options.title ?? name;
  const digest = options.input === undefined ? null : digestOf(options.input);
  let attempt = row?.attempt ?? 0;
  if (row?.status === 'waiting') await untilDue(instance, name);
  for (;;) {
    if (instance.isOver || instance.isPausing) return never();
    attempt += 1;
    const now = attempt;
    const isRepeatable = options.isRepeatable ?? true;
    await instance.writer.write((seq) =>
      beginStep(on, instance.token, { name, title, attempt: now, seq, digest, isRepeatable }),
    );
    instance.services.onRecorded(instance.run.id);
    const begunAt = performance.now();
    // Until what it came to is to be written: a run that pauses or ends meanwhile does so after it.
    const written = await instance.working(async (): Promise<Written | undefined> => {
      const outcome = await attemptOnce(instance, { name, work, options, attempt: now });
      if (!outcome) return undefined;
      const isCheap = isRepeatable && performance.now() - begunAt < CHEAP_MS;
      if (!mayTryAgain(outcome, options.retry, now))
        return { end: keepOutcome(instance, { name, attempt: now, outcome, isCheap }) };
      const ms = pauseOf(options.retry, now);
      const { error } = outcome as { error: unknown };
      const wait = { name, title, kind: 'step' as const, attempt: now, ms, error };
      return { ms, wait: instance.writer.write((seq) => beginWait(on, instance.token, { ...wait, seq })) };
    });
    if (!written) return never();
    if ('end' in written) return written.end;
    await written.wait;
    instance.services.onRecorded(instance.run.id);
    await untilDue(instance, name, written.ms);
  }
}

/** On its way to the record: the end of a step, or its wait to be tried again. */
type Written = { readonly end: Promise<void> } | { readonly wait: Promise<void>; readonly ms: number };

/**
 * Ends with the run, or the attempt's own time, even where the work does not.
 * @returns undefined where the run has left this process, or pauses, and nothing is to be kept
 */
async function attemptOnce(
  instance: RunInstance,
  { name, work, options, attempt }: { name: string; work: StepWork; options: StepOptions; attempt: number },
): Promise<StepOutcome | undefined> {
  const own = new AbortController();
  const { signal } = instance;
  const { timeoutMs } = options;
  const onEnd = () => own.abort(signal.reason);
  const timer =
    timeoutMs === undefined
      ? undefined
      : setTimeout(() => {
          const text = `The step "${name}" did not end within ${timeoutMs} ms.`;
          own.abort(new ToolError('NEXUS_TIMEOUT', text, { detail: { timeoutMs } }));
        }, timeoutMs);
  signal.addEventListener('abort', onEnd, { once: true });
  if (signal.aborted) onEnd();
  const ended = new Promise<never>((_, reject) => {
    own.signal.addEventListener('abort', () => reject(own.signal.reason), { once: true });
    if (own.signal.aborted) reject(own.signal.reason);
  });
  ended.catch(() => {});
  const idempotencyKey = keyOf(instance.run.id, name);
  let tools: ToolCaller | undefined;
  const context: StepContext = {
    signal: own.signal,
    idempotencyKey,
    attempt,
    ledger: stepLedger(instance, { step: name, attempt }),
    // Most steps call none.
    get tools() {
      tools ??= stepTools(instance, { step: name, signal: own.signal, key: idempotencyKey });
      return tools;
    },
    progress: (...report) => instance.progress(...report),
  };
  let output: unknown;
  try {
    output = await Promise.race([instance.working(async () => work(context)), ended]);
  } catch (error) {
    // What ended because the run did, here, is no outcome of the work.
    if (instance.isOver || signal.aborted) return undefined;
    if (!isBudgetExceeded(error)) return { error };
    // Both are one write, where nothing else runs: who sees that it waits, and resumes it, finds it paused.
    const step = { name, attempt, title: options.title ?? name, error };
    postpone(instance, step).catch((refusal: unknown) => instance.delivery.fail(name, refusal));
    void instance.pause(error);
    return undefined;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onEnd);
  }
  return instance.isOver ? undefined : { output };
}

/** On record as not done: it is begun anew when the run is resumed. */
async function postpone(
  instance: RunInstance,
  step: { name: string; title: string; attempt: number; error: unknown },
): Promise<void> {
  const { on } = instance.services;
  await instance.writer.write((seq) => beginWait(on, instance.token, { ...step, kind: 'step', seq, ms: 0 }));
}

async function keepOutcome(
  instance: RunInstance,
  step: { name: string; attempt: number; outcome: StepOutcome; isCheap: boolean },
): Promise<void> {
  const { name, attempt, isCheap } = step;
  const { on } = instance.services;
  const keep = async (make: () => KeptOutcome) => {
    const outcome = make();
    const end = { name, attempt, outcome };
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

function mayTryAgain(outcome: StepOutcome, retry: RetryPolicy | undefined, attempt: number): boolean {
  if (!('error' in outcome) || !retry || attempt >= retry.attempts) return false;
  return (retry.isRetryable ?? isRetryable)(outcome.error);
}

function isRetryable(error: unknown): boolean {
  return isToolError(error) && isKnownCode(error.code) && errorTable[error.code].retryable;
}

function pauseOf(retry: RetryPolicy | undefined, attempt: number): number {
  const { delayMs = 1_000, maxDelayMs = 60_000 } = retry ?? {};
  return Math.min(maxDelayMs, delayMs * 2 ** (attempt - 1));
}

/** Waits by the database's clock: a timer of this machine only says when to ask it. */
export async function untilDue(instance: RunInstance, name: string, firstMs?: number): Promise<void> {
  const { on } = instance.services;
  let left = firstMs ?? (await readDue(instance, name));
  while (left > 0) {
    const timer = new Promise((resolve) => setTimeout(resolve, Math.min(left, MAX_TIMER_MS)).unref());
    await instance.idle(timer);
    if (instance.isOver) return never();
    left = await readDue(instance, name);
  }

  async function readDue({ run }: RunInstance, step: string): Promise<number> {
    return instance.writer.read(() => dueIn(on, run.id, step));
  }
}

/** @throws {ToolError} NEXUS_LOOP for what an agent asks again and again */
export function assertNoLoop(instance: RunInstance, { guard }: StepOptions): void {
  if (!guard) return;
  const { agent, tool, atMost = DEFAULT_LOOP_LIMIT } = guard;
  const times = instance.countGuarded(digestOf([agent, tool, guard.arguments]));
  if (times < atMost) return;
  const text = `${agent} has called ${tool} with the same arguments ${times} times already; the answer stays the same. Go on with what is known, or ask something else.`;
  throw new ToolError('NEXUS_LOOP', text, { detail: { agent, tool, times } });
}

function keyOf(runId: string, name: string): string {
  return `nx-${digestOfText(`${runId}\n${name}`).slice(0, 32)}`;
}
