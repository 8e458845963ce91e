import type { ModelUsage } from '@nexus/plugin-sdk';

export const NO_USAGE: ModelUsage = { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0, costUsd: 0 };

/** The sum; its cost is known only where both are. */
export function addUsage(one: ModelUsage, other: ModelUsage): ModelUsage {
  const costs = [one.costUsd, other.costUsd].filter((cost) => cost !== undefined);
  return {
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    cachedInputTokens: one.cachedInputTokens + other.cachedInputTokens,
    ...(costs.length === 2 ? { costUsd: costs.reduce((sum, cost) => sum + cost, 0) } : {}),
    ...(one.isEstimated || other.isEstimated ? { isEstimated: true } : {}),
  };
}
