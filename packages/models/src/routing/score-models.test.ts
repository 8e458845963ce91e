import type { ModelEntry, ModelOutcomes } from '@nexus/plugin-sdk';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scoreModels } from './score-models.ts';

const QUALITY = { general: 0.8, reasoning: 0.8, code: 0.8, context: 0.8, speed: 0.5 };

function model(name: string, given: Partial<ModelEntry> = {}): ModelEntry {
  const quality = { ...QUALITY, ...given.quality };
  return {
    id: `p:${name}`,
    provider: 'p',
    name,
    reads: [],
    tools: 'native',
    price: { input: 2, output: 10 },
    ...given,
    quality,
  };
}

function outcome(name: string, given: Partial<ModelOutcomes> = {}): ModelOutcomes {
  return {
    model: `p:${name}`,
    category: 'general',
    runs: 20,
    successes: 20,
    p50LatencyMs: 5_000,
    p95LatencyMs: 9_000,
    inputTokens: 0,
    outputTokens: 0,
    costUsd: 0,
    cancelled: 0,
    unpriced: 0,
    ...given,
  };
}

const task = { category: 'general', inputTokens: 2_000, outputTokens: 1_000, needsTools: false } as const;
const order = (...given: Parameters<typeof scoreModels>) =>
  scoreModels(...given).scored.map((each) => each.model);

describe('the router', () => {
  it('takes the better one of two that cost and take the same', () => {
    const good = model('good', { quality: { ...QUALITY, general: 0.9 } });
    expect(order([model('plain'), good], [], task)).toEqual(['p:good', 'p:plain']);
  });

  it('takes the cheaper of two that are equally good', () => {
    const cheap = model('cheap', { price: { input: 0.1, output: 0.5 } });
    expect(order([model('dear', { price: { input: 10, output: 50 } }), cheap], [], task)).toEqual([
      'p:cheap',
      'p:dear',
    ]);
  });

  it('believes recorded failures over what is declared', () => {
    const fragile = model('fragile', { quality: { ...QUALITY, general: 0.95 } });
    const outcomes = [outcome('fragile', { successes: 4 }), outcome('steady')];
    expect(order([fragile, model('steady')], [], task)[0]).toBe('p:fragile');
    expect(order([fragile, model('steady')], outcomes, task)[0]).toBe('p:steady');
  });

  it('weighs recorded latency, most of all for speed', () => {
    const outcomes = [outcome('slow', { p50LatencyMs: 60_000 }), outcome('quick', { p50LatencyMs: 500 })];
    const slow = model('slow', { quality: { ...QUALITY, general: 0.95, reasoning: 0.98, speed: 0.9 } });
    expect(order([slow, model('quick')], outcomes, { ...task, category: 'speed' })[0]).toBe('p:quick');
    expect(order([slow, model('quick')], outcomes, { ...task, category: 'reasoning' })[0]).toBe('p:slow');
  });

  it('leaves out what can’t do it, and says why', () => {
    const { scored, excluded } = scoreModels(
      [
        model('small', { contextWindow: 1_000 }),
        model('dear', { price: { input: 1_000, output: 1_000 } }),
        { ...model('odd'), price: undefined } as never,
        model('fits'),
      ],
      [],
      { ...task, maxCostUsd: 0.1 },
    );
    expect(scored.map((each) => each.model)).toEqual(['p:fits']);
    expect(excluded).toEqual([
      { model: 'p:small', reason: 'some 3000 tokens do not fit into its 1000' },
      { model: 'p:dear', reason: 'it would cost $3.00, more than $0.10' },
      { model: 'p:odd', reason: 'its price is not known, so it can’t be held to $0.10'.replace('’', "'") },
    ]);
  });

  it('prefers a model that knows tools by itself where tools are needed', () => {
    const entries = [model('told', { tools: 'described' }), model('native')];
    expect(order(entries, [], { ...task, needsTools: true })[0]).toBe('p:native');
    expect(order(entries, [], task)[0]).toBe('p:told');
  });

  it('believes judged work over what is declared, the more the more of it there is, and says which it is', () => {
    const declared = model('declared', { quality: { ...QUALITY, general: 0.95 } });
    const shown = model('shown', { quality: { ...QUALITY, general: 0.7 } });
    const both = (good: number, bad: number) => [
      outcome('declared', { judged: { good: bad, bad: good } }),
      outcome('shown', { judged: { good, bad } }),
    ];
    expect(order([declared, shown], [outcome('declared'), outcome('shown')], task)[0]).toBe('p:declared');
    expect(order([declared, shown], both(9, 1), task)[0]).toBe('p:shown');
    const { scored } = scoreModels([shown], both(9, 1), task);
    expect(scored[0]?.why[0]).toContain(
      '0.843, measured by 9 good of 10 judged general works, declared 0.7; 20 of 20 recorded',
    );
  });

  it('explains every criterion with the figures that it used', () => {
    const [best] = scoreModels([model('a')], [outcome('a', { successes: 19 })], task).scored;
    expect(best?.why).toEqual([
      'quality 0.773 (weight 0.6): declared 0.8 for general, none of its work judged; 19 of 20 recorded general calls went well',
      'cost 0.781 (weight 0.25): some $0.01 at $2.00 and $10.00 a million tokens',
      'latency 0.75 (weight 0.15): half of the recorded general calls took at most 5000 ms',
    ]);
  });

  it('gives the same order whatever order it is given, scores from 0 to 1, and changes nothing', () => {
    const entry = fc.record({
      quality: fc.double({ min: 0, max: 1, noNaN: true }),
      input: fc.double({ min: 0, max: 100, noNaN: true }),
      runs: fc.nat(50),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
      ms: fc.nat(100_000),
    });
    fc.assert(
      fc.property(fc.array(entry, { minLength: 1, maxLength: 8 }), (drawn) => {
        const entries = drawn.map(({ quality, input }, index) =>
          Object.freeze(
            model(`m${index}`, {
              quality: { ...QUALITY, general: quality },
              price: { input, output: input },
            }),
          ),
        );
        const outcomes = drawn.map(({ runs, share, ms }, index) =>
          Object.freeze(
            outcome(`m${index}`, { runs, successes: Math.floor(runs * share), p50LatencyMs: ms }),
          ),
        );
        const { scored } = scoreModels(Object.freeze(entries), Object.freeze(outcomes), task);
        const backwards = scoreModels([...entries].reverse(), [...outcomes].reverse(), task).scored;
        expect(new Map(backwards.map((each) => [each.model, each.score]))).toEqual(
          new Map(scored.map((each) => [each.model, each.score])),
        );
        for (const { score } of scored) expect(score >= 0 && score <= 1).toBe(true);
        expect(scored.map(({ score }) => score)).toEqual(
          scored.map(({ score }) => score).sort((a, b) => b - a),
        );
      }),
    );
  });
});
