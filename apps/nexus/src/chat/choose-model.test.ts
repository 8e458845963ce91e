import { type Models, ToolError } from '@nexus/plugin-sdk';
import { expect, it } from 'vitest';
import { chooseModel, modelsThere } from './choose-model.ts';

const entry = (provider: string, name: string) => ({ id: `${provider}:${name}`, provider, name });
const models = {
  list: async () => [
    { name: 'openai', isFound: true, reason: 'has a key', models: [entry('openai', 'gpt-5')] },
    { name: 'local', isFound: true, reason: 'has an address', models: [] },
    { name: 'google', isFound: false, reason: 'has no key', models: [entry('google', 'gemini-3')] },
  ],
  async lookUp({ provider, name }: { provider: string; name: string }) {
    if (provider === 'local') throw new ToolError('NEXUS_MODEL_UNAVAILABLE', 'local can’t be asked.');
    return { isOffered: name === 'gpt-5-mini', nearest: name === 'gpt-5-mino' ? ['gpt-5-mini'] : [] };
  },
} as unknown as Pick<Models, 'list' | 'lookUp'>; // all that is asked of them
const { signal } = new AbortController();

it.each([
  ['nope', 'There is no model nope. /model shows those that are known. The model stays openai:gpt-5.'],
  ['openia', 'There is no model openia. Did you mean openai? The model stays openai:gpt-5.'],
  [
    'openai:gpt-5-mino',
    'openai has no model gpt-5-mino. Did you mean openai:gpt-5-mini? The model stays openai:gpt-5.',
  ],
  ['google:gemini-3', "google:gemini-3 can't be used: google has no key. The model stays openai:gpt-5."],
])('a model that is not there is not chosen, and what may be meant is said: %s', async (wanted, said) => {
  const session = { model: 'openai:gpt-5' };
  expect(await chooseModel(wanted, { models, session, signal })).toEqual([said]);
  expect(session.model).toBe('openai:gpt-5');
});

it.each([
  ['auto', 'model: auto'],
  ['openai', 'model: openai'],
  ['openai:gpt-5', 'model: openai:gpt-5'],
  ['openai:gpt-5-mini', 'model: openai:gpt-5-mini'],
  ['local:any', 'model: local:any; whether it is there is not known: local can’t be asked.'],
])('any other is: %s', async (wanted, said) => {
  const session: { model?: string } = {};
  expect(await chooseModel(wanted, { models, session, signal })).toEqual([said]);
  expect(session.model).toBe(wanted);
});

it('shows the models of those providers that are found', async () => {
  expect(await modelsThere({ models, session: {} })).toEqual(['model: openai:gpt-5', '  openai:gpt-5']);
});
