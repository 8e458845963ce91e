import {
  type Ledger,
  type RunCaller,
  refuseSpread,
  type StepContext,
  type ToolCaller,
} from '@nexus/plugin-sdk';
import type { RunInstance } from './run-instance.ts';
import { stepTools, type ToolsOfStep } from './step-tools.ts';

interface AttemptParts extends Omit<ToolsOfStep, 'key'> {
  readonly idempotencyKey: string;
  readonly attempt: number;
  readonly ledger: Ledger;
}

/**
 * What the work of a step has of its attempt. A class for its price: accessors of an object literal are made anew for
 * each attempt, and keep it in memory after its end.
 */
export class AttemptContext implements StepContext {
  readonly #instance: RunInstance;
  readonly #parts: AttemptParts;
  #tools: ToolCaller | undefined;
  readonly signal: AbortSignal;
  readonly idempotencyKey: string;
  readonly attempt: number;
  readonly ledger: Ledger;
  readonly trace: StepContext['trace'];
  /** Of the client that waits, whose own model the step may ask; absent where none does. */
  declare readonly session?: NonNullable<StepContext['session']>;
  declare readonly sampling?: NonNullable<StepContext['sampling']>;
  declare readonly sample?: NonNullable<StepContext['sample']>;

  constructor(instance: RunInstance, parts: AttemptParts) {
    this.#instance = instance;
    this.#parts = parts;
    this.signal = parts.signal;
    this.idempotencyKey = parts.idempotencyKey;
    this.attempt = parts.attempt;
    this.ledger = parts.ledger;
    this.trace = parts.trace;
    Object.assign(this, clientOf(instance.services.caller));
    refuseSpread(this);
  }

  /** Most steps call none. */
  get tools(): ToolCaller {
    const { idempotencyKey: key, ...parts } = this.#parts;
    // As its work says it: no call is made once the attempt's time is over, or its run has left.
    this.#tools ??= stepTools(this.#instance, { ...parts, key, onlyOnce: this.onlyOnce });
    return this.#tools;
  }

  get progress(): StepContext['progress'] {
    return (...report) => this.#instance.progress(...report);
  }

  get onlyOnce(): StepContext['onlyOnce'] {
    return async () => {
      this.signal.throwIfAborted();
      await this.#parts.onlyOnce();
      this.signal.throwIfAborted();
    };
  }
}

function clientOf(caller: RunCaller | undefined): Pick<StepContext, 'session' | 'sampling' | 'sample'> {
  if (caller?.sample === undefined || caller.sampling === undefined) return {};
  const { session, sampling, sample } = caller;
  return { session, sampling, sample };
}
