import type { ModelUsage } from './generate.ts';

export const NO_USAGE: ModelUsage = { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0 };

/** The cost is a sum only where every price was known, or nothing was asked. */
export function addUsage(...usages: readonly ModelUsage[]): ModelUsage {
  const asked = usages.filter(({ inputTokens, outputTokens }) => inputTokens + outputTokens > 0);
  const sum = (of: (usage: ModelUsage) => number) => asked.reduce((total, usage) => total + of(usage), 0);
  const isPriced = asked.length > 0 && asked.every(({ costUsd }) => costUsd !== undefined);
  return {
    inputTokens: sum(({ inputTokens }) => inputTokens),
    outputTokens: sum(({ outputTokens }) => outputTokens),
    cachedInputTokens: sum(({ cachedInputTokens }) => cachedInputTokens),
    ...(isPriced ? { costUsd: sum(({ costUsd = 0 }) => costUsd) } : {}),
    ...(asked.some(({ isEstimated }) => isEstimated) ? { isEstimated: true } : {}),
  };
}
