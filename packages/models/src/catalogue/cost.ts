import type { ModelEntry } from '@nexus/plugin-sdk';
import type { SourceUsage } from '../source.ts';
import { KNOWN_MODELS } from './known-models.ts';

/** Of the price of input: what Anthropic, who alone says how much was written, asks for five minutes. */
const CACHE_WRITE_PRICE = 1.25;

/** US dollars; undefined where no price is known. */
export function costOf(entry: ModelEntry, usage: Omit<SourceUsage, 'costUsd'>): number | undefined {
  if (!entry.price) return undefined;
  const { input, output, cachedInput } = tierOf(entry, usage.inputTokens) ?? entry.price;
  // Where no price is known for what the cache gave, the full one is an upper bound.
  const cached = cachedInput ?? input;
  const fresh = usage.inputTokens - usage.cachedInputTokens;
  const writing = (usage.cacheWriteTokens ?? 0) * input * (CACHE_WRITE_PRICE - 1);
  return (
    (writing + fresh * input + usage.cachedInputTokens * cached + usage.outputTokens * output) / 1_000_000
  );
}

/** Whether a cost is more than what was paid: the cache gave something, at a price that is not known. */
export function isUpperBound(
  entry: ModelEntry,
  { inputTokens, cachedInputTokens }: Pick<SourceUsage, 'inputTokens' | 'cachedInputTokens'>,
): boolean {
  const price = tierOf(entry, inputTokens) ?? entry.price;
  return cachedInputTokens > 0 && price !== undefined && price.cachedInput === undefined;
}

function tierOf(entry: ModelEntry, inputTokens: number) {
  if (entry.asOf === 'config') return undefined;
  const long = KNOWN_MODELS[entry.provider]?.find(({ name }) => name === entry.name)?.longPrice;
  return long && inputTokens > long.above ? long : undefined;
}
