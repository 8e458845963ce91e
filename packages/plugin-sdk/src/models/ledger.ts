import type { ModelUsage } from './generate.ts';

/** Tokens, in and out together, and US dollars. */
export interface Spend {
  readonly tokens: number;
  readonly costUsd: number;
}

/** What one call may cost at most. */
export interface CallEstimate extends Spend {
  /** No price is known, so that `costUsd` says nothing: a cap of money has no room for it. */
  readonly isUnpriced?: boolean;
}

/** What one call really cost. */
export interface CallCost extends Spend {
  /** In the words of models, where a model was asked. */
  readonly usage?: ModelUsage;
  /** It was interrupted once it was asked: nobody here knows what it comes to, and the sums are what is known of it. */
  readonly isUnknown?: boolean;
}

/** A share of the budget that one call may use up. */
export interface Reservation {
  /** What the same call was answered before its process died: it is paid for, and not made again. */
  readonly answer?: { readonly value: unknown };
  /** What had come of the same call when its process died, as it was given to `keep`: paid for, and not settled yet. */
  readonly arrived?: { readonly value: unknown };
  /**
   * Before each request, after whatever was waited for: a process whose run is another's by now pays nothing more.
   * @throws the reason of the step's signal
   */
  confirm(): Promise<void>;
  /**
   * Puts what has come on record as it is, at once and before anything is made of it, so that a process that dies
   * while it reads an answer has not paid for nothing. Neither waits nor fails: `settle` is what counts. Absent
   * where nothing outlives the process.
   * @param arrived plain JSON
   */
  keep?(arrived: unknown): void;
  /**
   * Puts what was really spent in its place, and what was answered on record, in one write; a second time changes
   * nothing. Whoever asked goes on from the answer after it.
   * @param answer plain JSON; absent where none came
   */
  settle(spent: CallCost, answer?: unknown): Promise<void>;
}

/**
 * What a run and its children may spend, and have spent. Reserved before each call and settled after it, so
 * that calls side by side can't exceed the cap together. Every model call of the run carries it.
 */
export interface Ledger {
  /** The first run of the family that pays; absent where nothing of it is on record. */
  readonly rootId?: string;
  /**
   * Waits for calls in flight where they may leave room: as long as they are, each counts as the most it may cost.
   * @param what the call is for, for people
   * @param asked what is asked, as plain JSON: by it the call is known again when its step is done again
   * @throws {ToolError} NEXUS_BUDGET_EXCEEDED with what is spent, what it would cost and the cap, or for
   * a cap of money and a call without a price; nothing is reserved
   */
  reserve(estimate: CallEstimate, what: string, asked?: unknown): Promise<Reservation>;
}
