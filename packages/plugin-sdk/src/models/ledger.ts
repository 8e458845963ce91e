/** Tokens, in and out together, and US dollars. */
export interface Spend {
  readonly tokens: number;
  readonly costUsd: number;
}

/** A share of the budget that one call may use up. */
export interface Reservation {
  /** Puts what was really spent in its place; a second time changes nothing. */
  settle(spent: Spend): Promise<void>;
}

/**
 * What a run and its children may spend, and have spent. Reserved before each call and settled after it, so
 * that calls side by side can't exceed the cap together. Every model call of the run carries it.
 */
export interface Ledger {
  /**
   * @param what the call is for, for people
   * @throws {ToolError} NEXUS_BUDGET_EXCEEDED with what is spent, what it would cost and the cap; nothing is reserved
   */
  reserve(estimate: Spend, what: string): Promise<Reservation>;
}
