import type { CallContext, Trace } from '../context.ts';
import type { Host } from '../host.ts';
import type { Log } from '../log.ts';
import type { ModelUsage } from '../models/generate.ts';
import type { Ledger } from '../models/ledger.ts';
import type { ToolCaller } from '../tool-caller.ts';
import type { Answer, Question } from './question.ts';
import type { RunContract, RunKind } from './run-kind.ts';

/** What the function of a run works with. Each name is used once in a run: number those in a loop. */
export interface RunContext<State = unknown> {
  readonly id: string;
  /** Whose run it is, as a call's `user`; absent for the server's own user. */
  readonly user?: string | undefined;
  /** What the plugin's `start` returned. */
  readonly state: State;
  readonly host: Host;
  /** What `start` was given as `definition`, kept as it was then. */
  readonly definition: unknown;
  /** Fires when the run is cancelled, out of time or taken over, and at shutdown. */
  readonly signal: AbortSignal;
  readonly log: Log;
  /**
   * Does `work` once and keeps what it came to, answer or error; run again, it answers from the record.
   * The answer is what JSON makes of it. Only where the process dies between the end of the work and the
   * record of it is the work done again, under the same key.
   */
  step<Output>(
    name: string,
    work: (step: StepContext) => Promise<Output> | Output,
    options?: StepOptions,
  ): Promise<Output>;
  /**
   * Runs all, at most `concurrency` at a time, and begins none once one has failed.
   * @throws the first's error in their order, once all that were begun have ended
   */
  parallel<Output>(
    work: readonly (() => Promise<Output>)[],
    options?: { readonly concurrency?: number },
  ): Promise<Output[]>;
  /** Runs all, whichever fails, and answers the errors too. */
  settle<Output>(
    work: readonly (() => Promise<Output>)[],
    options?: { readonly concurrency?: number },
  ): Promise<PromiseSettledResult<Output>[]>;
  /**
   * Runs another kind as a run of its own, which this one waits for; it ends with this one.
   * @throws {ToolError} what the child came to
   */
  child<Input, Output>(
    name: string,
    // biome-ignore lint/suspicious/noExplicitAny: the state is its plugin's affair
    kind: RunKind<any, Input, Output> | RunContract<Input, Output>,
    input: Input,
    options?: ChildOptions,
  ): Promise<Output>;
  /** Waits by the database's clock, through restarts. */
  sleep(name: string, ms: number): Promise<void>;
  /**
   * Asks a person and waits, through restarts.
   * @returns `action: "cancel"` where nobody answered within `timeoutMs`
   */
  ask(name: string, question: Question): Promise<Answer>;
  /** Epoch milliseconds, by the database's clock; the same when run again. */
  now(name?: string): Promise<number>;
  /** At least 0 and below 1; the same when run again. */
  random(name?: string): Promise<number>;
  /** A UUID; the same when run again. */
  uuid(name?: string): Promise<string>;
  /** What it does now, for people; the last one is kept. */
  progress(message: string, done?: number, total?: number): void;
  /** What models were paid for by this run and those below it so far, by the ledger; the same when run again. */
  usage(name?: string): Promise<ModelUsage>;
  /** Adds to the run's events, once, whatever is run again. */
  event(name: string, data?: unknown): Promise<void>;
}

/** A step asks models as it is: `run.host.models.generate(request, step)`. */
export interface StepContext extends Partial<Pick<CallContext, 'sampling' | 'sample'>> {
  readonly session?: { readonly id: string };
  /** Its own span: what it calls is part of that. */
  readonly trace?: Trace | undefined;
  /** Fires with the run's, and at the step's own `timeoutMs`: what it calls must end then. */
  readonly signal: AbortSignal;
  /** The same for every attempt of this step of this run: whoever is called by it can tell a repetition. */
  readonly idempotencyKey: string;
  /** From 1. */
  readonly attempt: number;
  /** The budget of the run and all its children. */
  readonly ledger: Ledger;
  /** The tools of whoever started the run; each call carries the key in `_meta["nexus/idempotencyKey"]`. */
  readonly tools: ToolCaller;
  progress(message: string, done?: number, total?: number): void;
  /**
   * For work that learns by itself that what it does next must not be done twice: from then on this attempt is as
   * one of a step with `isRepeatable: false`, which is on record before this returns.
   */
  onlyOnce(): Promise<void>;
}

export interface StepOptions {
  /** For people; the name by default. */
  readonly title?: string;
  /**
   * What it works on, as plain JSON. Kept as a digest: a run that asks for the step again with another was
   * altered on the way, and is stopped before it does anything on a wrong footing. What must not be done twice, and was
   * done after a failure, is known by it when the run goes on.
   */
  readonly input?: unknown;
  /** Without it, a failure is final. */
  readonly retry?: RetryPolicy;
  /** Ends an attempt that takes longer, as a failure with NEXUS_TIMEOUT. */
  readonly timeoutMs?: number;
  /**
   * False for work that must not be done twice: where the process died in the middle of it, or its time
   * was over, the step fails with NEXUS_OUTCOME_UNKNOWN and is not repeated. By default true until it
   * calls a tool that by its hints may not run twice.
   */
  readonly isRepeatable?: boolean;
  /** Ends a loop: the same agent, tool and arguments more than `atMost` times (default 3) is NEXUS_LOOP. */
  readonly guard?: LoopGuard;
}

export interface RetryPolicy {
  /** The first one included. */
  readonly attempts: number;
  /** Before the second attempt; doubled before each one after. Default 1 000. */
  readonly delayMs?: number;
  /** Default 60 000. */
  readonly maxDelayMs?: number;
  /**
   * Of a step that looks for something again and again: of all attempts but the first and the last only the time of
   * the next is put on record, so that a long wait makes no long history.
   */
  readonly isQuiet?: boolean;
  /** By default an error of which the table says that a retry may help. */
  isRetryable?(error: unknown): boolean;
}

export interface LoopGuard {
  readonly agent: string;
  readonly tool: string;
  readonly arguments: unknown;
  readonly atMost?: number;
}

export interface ChildOptions {
  readonly title?: string;
  readonly definition?: unknown;
  readonly timeoutMs?: number;
}
