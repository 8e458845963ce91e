import { describe, expect, it } from 'vitest';
import { assertBudgetSettings, BUDGETS_MS, budgetMs, HARD_CAP_MS } from './budgets.ts';

const plain = { overridesMs: {}, multiplier: 1 };
const tool = { name: 'consensus_vote', budget: 'panel' } as const;

describe('a tool’s budget', () => {
  it('is that of its class', () => {
    expect(BUDGETS_MS).toEqual({
      interactive: 60_000,
      network: 120_000,
      model: 300_000,
      panel: 600_000,
      pipeline: 900_000,
    });
    expect(budgetMs(tool, plain)).toBe(600_000);
  });

  it('is the config’s for that tool where there is one', () => {
    expect(budgetMs(tool, { ...plain, overridesMs: { consensus_vote: 5_000 } })).toBe(5_000);
    expect(budgetMs(tool, { ...plain, overridesMs: { other: 5_000 } })).toBe(600_000);
  });

  it('is the tool’s own where the config has none', () => {
    const own = { ...tool, budgetMs: 7_000 };
    expect(budgetMs(own, plain)).toBe(7_000);
    expect(budgetMs(own, { ...plain, overridesMs: { consensus_vote: 5_000 } })).toBe(5_000);
  });

  it('is of whole milliseconds', () => {
    expect(budgetMs(tool, { overridesMs: { consensus_vote: 5 }, multiplier: 0.25 })).toBe(1);
  });

  it('is multiplied, overridden or not', () => {
    expect(budgetMs(tool, { ...plain, multiplier: 0.25 })).toBe(150_000);
    expect(budgetMs(tool, { overridesMs: { consensus_vote: 5_000 }, multiplier: 2 })).toBe(10_000);
  });

  it('never exceeds an hour', () => {
    expect(budgetMs(tool, { ...plain, multiplier: 10 })).toBe(HARD_CAP_MS);
    expect(budgetMs(tool, { ...plain, overridesMs: { consensus_vote: 9e9 } })).toBe(3_600_000);
  });

  it('is not read from the prototype of the overrides', () => {
    expect(budgetMs({ name: 'constructor', budget: 'interactive' }, plain)).toBe(60_000);
  });
});

describe('budget settings', () => {
  it.each([0.25, 1, 10])('take a multiplier of %d', (multiplier) => {
    expect(() => assertBudgetSettings({ ...plain, multiplier })).not.toThrow();
  });

  it.each([0, 0.2, 10.1, -1, Number.NaN, Infinity])('refuse a multiplier of %d', (multiplier) => {
    expect(() => assertBudgetSettings({ ...plain, multiplier })).toThrow(
      `0.25 to 10, received ${multiplier}`,
    );
  });

  it.each([0, -5, Number.NaN])('refuse an override of %d ms, naming the tool', (ms) => {
    expect(() => assertBudgetSettings({ ...plain, overridesMs: { bundle: ms } })).toThrow(
      'tools.bundle.timeoutMs',
    );
    expect(() => assertBudgetSettings({ ...plain, overridesMs: { bundle: 1 } })).not.toThrow();
  });
});
