import { describe, expect, it } from 'vitest';
import { costOf, isUpperBound } from './cost.ts';
import { describeModel } from './describe-model.ts';
import { KNOWN_AS_OF, KNOWN_MODELS } from './known-models.ts';

const all = Object.entries(KNOWN_MODELS).flatMap(([provider, models]) =>
  models.map((model) => ({ provider, id: `${provider}:${model.name}`, ...model })),
);

describe('what is known of models', () => {
  it('has a date, and each model once', () => {
    expect(KNOWN_AS_OF).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    expect(Date.parse(KNOWN_AS_OF)).toBeLessThan(Date.now());
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
  });

  it.each(all)('fits together: $id', ({ contextWindow = 0, maxOutputTokens = 0, ...model }) => {
    const { price, longPrice, quality } = model;
    expect(maxOutputTokens).toBeGreaterThan(0);
    expect(maxOutputTokens).toBeLessThan(contextWindow);
    for (const share of Object.values(quality)) {
      expect(share).toBeGreaterThan(0);
      expect(share).toBeLessThanOrEqual(1);
    }
    for (const each of [price, longPrice]) {
      if (!each) continue;
      expect(each.output).toBeGreaterThanOrEqual(each.input);
      expect(each.cachedInput ?? 0).toBeLessThan(each.input);
    }
    if (!longPrice) return;
    expect(longPrice.above).toBeLessThan(contextWindow);
    expect(longPrice.input).toBeGreaterThan(price?.input ?? 0);
    expect(longPrice.output).toBeGreaterThan(price?.output ?? 0);
    // What has a price in the short tier has one in the long, or it would be counted by the full one.
    expect(longPrice.cachedInput === undefined).toBe(price?.cachedInput === undefined);
  });

  it('counts a long call by its own prices, what the cache gave too', () => {
    const sol = describeModel({ provider: 'openai', name: 'gpt-6.1-sol', tools: 'native' }, {});
    const cost = (inputTokens: number, cachedInputTokens: number) =>
      costOf(sol, { inputTokens, cachedInputTokens, outputTokens: 100_000 });
    expect(cost(200_000, 100_000)).toBeCloseTo(0.2 + 0.01 + 1, 9);
    expect(cost(300_000, 100_000)).toBeCloseTo(0.8 + 0.02 + 1.5, 9);
    const haiku = describeModel({ provider: 'anthropic', name: 'claude-haiku-5-5', tools: 'native' }, {});
    const usage = { inputTokens: 1_000_000, cachedInputTokens: 500_000, outputTokens: 0 };
    expect(costOf(haiku, usage)).toBeCloseTo(0.5, 9);
    // Nobody knows what the cache's half cost: the full price is more.
    expect(isUpperBound(haiku, usage)).toBe(true);
    expect(isUpperBound(haiku, { ...usage, cachedInputTokens: 0 })).toBe(false);
    expect(isUpperBound(sol, usage)).toBe(false);
  });
});
