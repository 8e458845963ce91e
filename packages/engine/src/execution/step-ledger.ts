import { type Ledger, type Spend, ToolError } from '@nexus/plugin-sdk';
import { reserve, settle } from '../record/spending.ts';
import type { RunInstance } from './run-instance.ts';

/** The budget of a run's family, as one attempt of a step spends it. */
export function stepLedger(
  instance: RunInstance,
  { step, attempt }: { step: string; attempt: number },
): Ledger {
  const { on } = instance.services;
  const { id: runId, root_id: rootId } = instance.run;
  let count = 0;
  return {
    async reserve(estimate, what) {
      count += 1;
      const id = `${runId}/${instance.token.epoch}/${step}/${attempt}/${count}`;
      const reserving = await reserve(on, { id, rootId, runId, step }, estimate);
      if (!reserving.isReserved) throw exceeded(reserving, estimate, what);
      return { settle: (spent) => settle(on, id, spent) };
    },
  };
}

function exceeded(
  { spent, cap }: { spent: Spend; cap: Partial<Spend> },
  estimate: Spend,
  what: string,
): ToolError {
  const text = `${what} may cost ${inWords(estimate)}, and ${inWords(spent)} of at most ${inWords(cap)} are spent. What is done is kept: raise the cap and resume the run.`;
  return new ToolError('NEXUS_BUDGET_EXCEEDED', text, { detail: { spent, estimate, cap } });
}

function inWords({ tokens, costUsd }: Partial<Spend>): string {
  const parts = [
    ...(tokens === undefined ? [] : [`${Math.ceil(tokens)} tokens`]),
    ...(costUsd === undefined ? [] : [`$${costUsd.toFixed(4)}`]),
  ];
  return parts.join(' and ');
}
