import { modelEndpoint } from '@nexus/testing';
import { describe, expect, it } from 'vitest';
import { idle, startModels } from '../../test/models-under-test.ts';
import { providerOptions } from './provider-options.ts';

/** All that the chat interface has had since tools came to it; a strict server refuses the rest. */
const CHAT_FIELDS = [
  'model',
  'messages',
  'max_tokens',
  'temperature',
  'stream',
  'stream_options',
  'response_format',
];

describe('fields that only OpenAI knows', () => {
  it.each([
    ['which its config says', 'chat' as const],
    ['which is found to be there alone', undefined],
  ])('do not reach the chat interface of an address in its place, %s', async (_, api) => {
    await using endpoint = await modelEndpoint(({ wire }) =>
      wire === 'openai-chat' ? { text: '{"ok":true}' } : { status: 404, message: 'Not Found' },
    );
    const providers = api && { openai: { isEnabled: true, api } };
    await using under = startModels({
      environment: { OPENAI_API_KEY: 'sk-test-key', OPENAI_BASE_URL: endpoint.url },
      settings: { maxAttempts: 1, ...(providers && { providers }) },
    });
    await under.models.generate({ prompt: 'x', model: 'openai:some', temperature: 0 }, idle());
    const bodies = endpoint.requests.filter(({ wire }) => wire === 'openai-chat').map(({ body }) => body);
    expect(bodies).toHaveLength(1);
    expect(Object.keys(Object(bodies[0])).filter((key) => !CHAT_FIELDS.includes(key))).toEqual([]);
  });

  it('reach OpenAI’s own chat interface by their names on the wire', () => {
    const request = { system: 'A role.', tools: [] };
    const at = (baseUrl: string) =>
      providerOptions({ wire: 'openai-chat', provider: 'openai', baseUrl }, request).openai;
    const own = { store: false, prompt_cache_key: expect.stringMatching(/^[0-9a-f]{32}$/) };
    expect(at('https://api.openai.com/v1')).toEqual(own);
    expect(at('https://eu.api.openai.com/v1')).toEqual(own);
    expect(at('https://notopenai.com/v1')).toEqual({});
    expect(at('https://openai.com.example.org/v1')).toEqual({});
  });
});
