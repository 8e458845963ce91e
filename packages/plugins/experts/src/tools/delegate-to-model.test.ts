import { scriptedModels, startPlugin } from '@nexus/testing';
import { expect, it } from 'vitest';
import experts from '../index.ts';

interface Answer {
  readonly recommendedModel: string;
  readonly alternatives: readonly { readonly model: string }[];
  readonly alternativesTotal: number;
}

const names = Array.from({ length: 23 }, (_, at) => `p:m${at}`);

function routed() {
  const model = (name: string) => ({ model: name, score: 1, quality: 1, cost: 1, latency: 1, why: [] });
  return {
    ...scriptedModels([]),
    route: async () => ({
      ...{ best: model('p:best'), alternatives: names.map(model), excluded: [] },
      ...{ inputTokens: 1, outputTokens: 1 },
    }),
  };
}

it('names every alternative, page by page', async () => {
  const plugin = await startPlugin(experts, { models: routed() });
  try {
    const found = [];
    for (const offset of [0, 10, 20]) {
      const answer = await plugin.answer<Answer>('delegate_to_model', { task: 'x', offset });
      expect(answer).toMatchObject({ recommendedModel: 'p:best', alternativesTotal: 23 });
      found.push(...answer.alternatives.map((each) => each.model));
    }
    expect(found).toEqual(names);
  } finally {
    await plugin.stop();
  }
});

it('answers no word of the task, and none that a model wrote: there is nothing in it to be looked up', async () => {
  const models = routed();
  const plugin = await startPlugin(experts, { models });
  try {
    const task = 'Mend `inventedSymbol()` in src/invented.ts:12.';
    const { content } = await plugin.call('delegate_to_model', { task });
    expect(JSON.stringify(content)).not.toMatch(/invented/i);
  } finally {
    await plugin.stop();
  }
});
