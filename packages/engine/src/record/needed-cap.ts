import type { Spend } from '@nexus/plugin-sdk';
import { readError } from './errors.ts';
import type { RunDatabase } from './run-database.ts';
import { spendingOf } from './spending.ts';

/** What a family has spent, what the call that it paused at may cost, and both: below that cap it would pause again at once. */
export async function neededCap(
  on: RunDatabase,
  { rootId, family }: { readonly rootId: string; readonly family: readonly string[] },
): Promise<Record<'spent' | 'next' | 'needed', Spend>> {
  const { spent } = await spendingOf(on.db, { rootId });
  const next = await leastEstimate(on, family);
  return {
    spent,
    next,
    needed: { tokens: spent.tokens + next.tokens, costUsd: spent.costUsd + next.costUsd },
  };
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

export function inWords({ tokens, costUsd }: Partial<Spend>): string {
  const parts = [
    ...(tokens === undefined ? [] : [`${Math.ceil(tokens)} tokens`]),
    ...(costUsd === undefined ? [] : [`$${costUsd.toFixed(DECIMALS)}`]),
  ];
  return parts.join(' and ');
}

/** As a cap that suffices: whoever gives what is shown is not refused for what was left out of it. */
export function leastInWords({ tokens, costUsd }: Partial<Spend>): string {
  if (costUsd === undefined) return inWords({ ...(tokens === undefined ? {} : { tokens }) });
  const shown = Number(costUsd.toFixed(DECIMALS));
  const least = shown < costUsd - 1e-9 ? shown + 10 ** -DECIMALS : shown;
  return inWords({ ...(tokens === undefined ? {} : { tokens }), costUsd: least });
}

const DECIMALS = 4;
