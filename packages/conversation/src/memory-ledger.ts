import { type Ledger, type Spend, ToolError, unpriced } from '@nexus/plugin-sdk';
import { counted } from '@nexus/primitives';

/** What is known to be spent, and how many calls it is not known of. */
export interface KnownSpend extends Spend {
  /** Calls that were interrupted once they were asked; absent where there was none. */
  readonly unknownCalls?: number;
}

/** A ledger of this process, for work that ends with it. */
export interface MemoryLedger extends Ledger {
  readonly spent: KnownSpend;
  /** Raised, it lets work go on that stopped at the old one. */
  cap: Readonly<Partial<Spend>>;
}

/**
 * Spending up to a cap of tokens, of dollars, or of both; what is reserved counts as spent until it is settled.
 * @param before what the same work spent in an earlier process
 */
export function memoryLedger(
  cap: Readonly<Partial<Spend>> = {},
  before: KnownSpend = { tokens: 0, costUsd: 0 },
): MemoryLedger {
  let spent: Spend = { tokens: before.tokens, costUsd: before.costUsd };
  let unknownCalls = before.unknownCalls ?? 0;
  let reserved: Spend = { tokens: 0, costUsd: 0 };
  return {
    cap,
    get spent() {
      return { ...spent, ...(unknownCalls === 0 ? {} : { unknownCalls }) };
    },
    async reserve(estimate, what) {
      if (estimate.isUnpriced && this.cap.costUsd !== undefined) throw unpriced(what, this.cap);
      const needed = add(add(spent, reserved), estimate);
      const over = overrun(needed, this.cap);
      if (over !== undefined) {
        throw new ToolError(
          'NEXUS_BUDGET_EXCEEDED',
          `${what} was not asked: with up to ${show(estimate)} more, ${show(add(spent, reserved))} spent or reserved would exceed the cap of ${over}.`,
          { detail: { spent, reserved, estimate, cap: this.cap } },
        );
      }
      reserved = add(reserved, estimate);
      let isSettled = false;
      return {
        confirm: async () => {},
        async settle(cost) {
          if (isSettled) return;
          isSettled = true;
          reserved = add(reserved, estimate, -1);
          spent = add(spent, cost);
          if (cost.isUnknown) unknownCalls += 1;
        },
      };
    },
  };
}

function overrun(needed: Spend, { tokens, costUsd }: Readonly<Partial<Spend>>): string | undefined {
  if (tokens !== undefined && needed.tokens > tokens) return counted(tokens, 'token');
  return costUsd !== undefined && needed.costUsd > costUsd ? `$${costUsd}` : undefined;
}

function add(one: Spend, other: Spend, sign = 1): Spend {
  return { tokens: one.tokens + sign * other.tokens, costUsd: one.costUsd + sign * other.costUsd };
}

function show({ tokens, costUsd }: Spend): string {
  return `${counted(tokens, 'token')} and $${costUsd.toFixed(4)}`;
}
