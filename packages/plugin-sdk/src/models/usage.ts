import type { RunUsage } from '../runs/runs.ts';
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

/** What work asked of models. `calls` is absent where nobody counts them. */
export type Asked = Pick<ModelUsage, 'inputTokens' | 'outputTokens' | 'isEstimated'> & {
  readonly [Known in 'costUsd' | 'pricedUsd' | 'calls' | 'unknownCalls' | 'keptCalls']?:
    | RunUsage[Known]
    | undefined;
};

/**
 * What work asked of models, and the time that it took, as every answer says it:
 * `4 model calls; 1200 tokens in, 34 out; $0.0123; 41.2 s`. What nobody knows is said to be so, and is never nothing.
 */
export function costLine(asked: Asked, tookMs?: number): string {
  return [
    ...askedWords(asked),
    ...(asked.keptCalls ? [`${counted(asked.keptCalls, 'call', 'calls')} kept from an earlier run`] : []),
    ...unknownWords(asked),
    ...(tookMs === undefined ? [] : [tookWords(tookMs)]),
  ].join('; ');
}

/** Beside calls whose cost is known they are more of them; alone they are all that was asked. */
function unknownWords(asked: Asked): string[] {
  if (!asked.unknownCalls) return [];
  const more = hasKnown(asked) ? 'more ' : '';
  return [`cost not known of ${counted(asked.unknownCalls, `${more}call`, `${more}calls`)}, interrupted`];
}

const hasKnown = ({ calls, inputTokens, outputTokens }: Asked) => (calls ?? inputTokens + outputTokens) > 0;

function askedWords(asked: Asked): string[] {
  const { calls, inputTokens, outputTokens, unknownCalls, ...paid } = asked;
  const tokens = inputTokens + outputTokens;
  if (!hasKnown(asked)) return unknownCalls ? [] : ['no model asked'];
  return [
    ...(calls === undefined ? [] : [counted(calls, 'model call', 'model calls')]),
    ...(tokens === 0 ? [] : [`${counted(inputTokens, 'token', 'tokens')} in, ${outputTokens} out`]),
    priceWords(paid),
  ];
}

function priceWords({
  costUsd,
  pricedUsd,
  isEstimated,
}: Pick<Asked, 'costUsd' | 'pricedUsd' | 'isEstimated'>): string {
  if (costUsd !== undefined) return `${isEstimated ? 'about ' : ''}${dollars(costUsd)}`;
  return pricedUsd ? `${dollars(pricedUsd)} and what has no known price` : 'cost not known';
}

/** The least that four decimal places show. */
const LEAST_USD = 0.0001;

/** An amount of US dollars: what is less than is shown of one is not told as nothing. */
export function dollars(usd: number): string {
  return usd > 0 && usd < LEAST_USD ? `less than $${LEAST_USD}` : `$${usd.toFixed(4)}`;
}

const MINUTE_MS = 60_000;

/** `0.4 s`, `3 min 20 s`. */
export function tookWords(ms: number): string {
  if (ms < MINUTE_MS) return `${(Math.max(0, ms) / 1_000).toFixed(1)} s`;
  return `${Math.floor(ms / MINUTE_MS)} min ${Math.floor((ms % MINUTE_MS) / 1_000)} s`;
}

const counted = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;
