import type { Run, Spend } from '@nexus/plugin-sdk';

/** The least that four decimal places show. */
const LEAST_USD = 0.0001;

/** An amount of US dollars: what is less than is shown of one is not told as nothing. */
export function dollars(usd: number): string {
  return usd > 0 && usd < LEAST_USD ? `less than $${LEAST_USD}` : `$${usd.toFixed(4)}`;
}

/** `120 tokens, $0.0012` of a step, whose price is told only where something was paid; empty where nothing was used. */
export function stepCost({ tokens, costUsd }: Spend): string {
  return [...(tokens === 0 ? [] : [`${tokens} tokens`]), ...(costUsd === 0 ? [] : [dollars(costUsd)])].join(
    ', ',
  );
}

/** The same of a run and all below it, with a word where it cost nothing, or where nobody knows what it cost. */
export function runCost({ budget: { spent }, usage }: Pick<Run, 'budget' | 'usage'>): string {
  if (spent.tokens === 0) return '';
  const isKnown = usage.costUsd !== undefined;
  if (spent.costUsd === 0) return `${spent.tokens} tokens, ${isKnown ? 'free of charge' : 'price not known'}`;
  return `${stepCost(spent)}${isKnown ? '' : ' and what has no known price'}`;
}
