import { type Spend, ToolError } from '@nexus/plugin-sdk';
import { inWords, leastInWords } from '../execution/step-ledger.ts';
import { readError } from '../record/errors.ts';
import type { RunDatabase } from '../record/run-database.ts';
import { spendingOf } from '../record/spending.ts';

/**
 * Holds a new cap against what is spent and what the call that a run paused at may cost: below that, the run would
 * pause again at once.
 * @throws {ToolError} NEXUS_BUDGET_EXCEEDED with what it takes
 */
export async function assertCapSuffices(
  on: RunDatabase,
  { rootId, family, cap }: { rootId: string; family: readonly string[]; cap: Partial<Spend> },
): Promise<void> {
  const { spent } = await spendingOf(on.db, { rootId });
  const next = await leastEstimate(on, family);
  const needed: Spend = { tokens: spent.tokens + next.tokens, costUsd: spent.costUsd + next.costUsd };
  const lacks = (amount: keyof Spend) => {
    const given = cap[amount];
    // The record counts in millionths of a dollar, and upwards.
    return given !== undefined && (given < needed[amount] - 1e-6 || given <= 0);
  };
  const short = (['tokens', 'costUsd'] as const).filter(lacks);
  if (short.length === 0) return;
  const pick = (of: Partial<Spend>) => Object.fromEntries(short.map((amount) => [amount, of[amount]]));
  const text = `A cap of ${inWords(pick(cap))} lets nothing go on: ${inWords(pick(spent))} are spent, and the next call may cost ${inWords(pick(next))}. Give at least ${leastInWords(pick(needed))}, which is enough for that call, and not for those after it.`;
  throw new ToolError('NEXUS_BUDGET_EXCEEDED', text, { detail: { spent, estimate: next, cap, needed } });
}

/** Of the calls that runs of the family have paused at; of several the one that asks least. */
async function leastEstimate({ db }: RunDatabase, family: readonly string[]): Promise<Spend> {
  const rows = await db
    .selectFrom('runs_runs')
    .select('error')
    .where('id', 'in', family)
    .where('status', '=', 'paused')
    .execute();
  const estimates = rows.flatMap(({ error }) => {
    const { estimate } = (readError(error)?.detail ?? {}) as { estimate?: Spend };
    return estimate ? [estimate] : [];
  });
  if (estimates.length === 0) return { tokens: 0, costUsd: 0 };
  return {
    tokens: Math.ceil(Math.min(...estimates.map(({ tokens }) => tokens))),
    costUsd: Math.min(...estimates.map(({ costUsd }) => costUsd)),
  };
}
