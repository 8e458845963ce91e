import type { ModelOutcomes } from '@nexus/plugin-sdk';
import { scriptedModels, startPlugin } from '@nexus/testing';
import { expect, it } from 'vitest';
import experts from '../index.ts';

const recorded = { model: 'anthropic:sonnet', category: 'code', runs: 3, successes: 3 } as const;
const figures = { p50LatencyMs: 1, p95LatencyMs: 2, costUsd: 0, cancelled: 0, unpriced: 0 };

async function noteOf(record: readonly object[], filter: Readonly<Record<string, unknown>>) {
  const models = {
    ...scriptedModels([]),
    outcomes: async (query: { provider?: string; category?: string } = {}) =>
      (record as ModelOutcomes[]).filter(
        ({ model, category }) =>
          (query.provider === undefined || model.startsWith(`${query.provider}:`)) &&
          (query.category === undefined || category === query.category),
      ),
  };
  const plugin = await startPlugin(experts, { models });
  try {
    return (await plugin.answer<{ note?: string }>('weather_report', filter)).note;
  } finally {
    await plugin.stop();
  }
}

it('tells a filter that fits nothing from a record that is empty', async () => {
  const record = [{ ...recorded, ...figures }];
  expect(await noteOf(record, { cli: 'claude', category: 'code' })).toBe(
    'No call of the provider "claude" and of the category code is on record. There are 3 others: anthropic:sonnet (code: 3).',
  );
  expect(await noteOf(record, { cli: 'anthropic' })).toBeUndefined();
  expect(await noteOf([], { cli: 'claude' })).toBe('No call of a model is on record here yet.');
});
