import { scriptedModels } from '@nexus/testing';
import { expect, it } from 'vitest';
import { distinctModels, spread } from './spread.ts';
import { vendorOf } from './vendors.ts';

const listed = (...models: string[]) => scriptedModels(['x'], { models }).list();

it('takes each vendor’s first model before any second one', async () => {
  const providers = await listed('anthropic:claude-a', 'anthropic:claude-b', 'openai:gpt-a', 'openai:gpt-b');
  expect(distinctModels(providers)).toEqual([
    'anthropic:claude-a',
    'openai:gpt-a',
    'anthropic:claude-b',
    'openai:gpt-b',
  ]);
});

it('counts one model by two ways in once', async () => {
  const providers = await listed('anthropic:claude-a', 'router:anthropic/claude-a', 'claude:claude-a');
  expect(distinctModels(providers)).toEqual(['anthropic:claude-a']);
});

it('takes no models but those that the config allows', async () => {
  const providers = await listed('anthropic:claude-a', 'openai:gpt-a', 'ollama:qwen3');
  expect(distinctModels(providers, ['openai:*', 'ollama:qwen3'])).toEqual(['openai:gpt-a', 'ollama:qwen3']);
});

it('finds none where none is', async () => {
  expect(distinctModels(await scriptedModels([]).list())).toEqual([]);
});

it('gives seven voters two models in turn', () => {
  expect(spread(['a', 'b'], 7)).toEqual(['a', 'b', 'a', 'b', 'a', 'b', 'a']);
});

it.each([
  ['anthropic:claude-opus', 'Anthropic'],
  ['claude:default', 'Anthropic'],
  ['openai:o5', 'OpenAI'],
  ['router:openai/gpt-6', 'OpenAI'],
  ['ollama:qwen3', 'Alibaba'],
  ['host:default', 'host'],
])('%s is of %s', (model, vendor) => {
  expect(vendorOf(model)).toBe(vendor);
});
