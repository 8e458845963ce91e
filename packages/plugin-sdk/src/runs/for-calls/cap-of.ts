import type { Spend } from '../../models/ledger.ts';

/** What a plugin's options say that one run may spend, as the `cap` of a tool that is a run takes it. */
export function capOf({
  maxCostUsd,
  maxTokens,
}: {
  readonly maxCostUsd?: number | undefined;
  readonly maxTokens?: number | undefined;
}): Partial<Spend> | undefined {
  if (maxCostUsd === undefined && maxTokens === undefined) return undefined;
  return {
    ...(maxCostUsd === undefined ? {} : { costUsd: maxCostUsd }),
    ...(maxTokens === undefined ? {} : { tokens: maxTokens }),
  };
}
