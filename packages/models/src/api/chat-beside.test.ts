import { type ModelRequestSeen, modelEndpoint } from '@nexus/testing';
import { describe, expect, it } from 'vitest';
import { idle, startModels } from '../../test/models-under-test.ts';

const at = (url: string) => ({ OPENAI_API_KEY: 'sk-test-key', OPENAI_BASE_URL: url });
const chatAlone = ({ wire }: ModelRequestSeen) =>
  wire === 'openai-chat' ? { text: 'By chat.' } : { status: 404, message: 'Not Found' };

describe('an address in OpenAI’s place', () => {
  it('that has the chat interface alone is asked by that, and from then on by no other', async () => {
    await using endpoint = await modelEndpoint(chatAlone);
    await using under = startModels({ environment: at(endpoint.url) });
    const ask = () => under.models.generate({ prompt: 'x', model: 'openai:some' }, idle());
    expect(await ask()).toMatchObject({ text: 'By chat.' });
    expect(await ask()).toMatchObject({ text: 'By chat.' });
    expect(endpoint.requests.map(({ wire }) => wire)).toEqual([
      'openai-responses',
      'openai-chat',
      'openai-chat',
    ]);
  });

  it('that has neither says what the first said, and is asked by both the next time', async () => {
    await using endpoint = await modelEndpoint(() => ({ status: 404, message: 'no such model' }));
    await using under = startModels({ environment: at(endpoint.url), settings: { maxAttempts: 1 } });
    const ask = () => under.models.generate({ prompt: 'x', model: 'openai:some' }, idle());
    await expect(ask()).rejects.toThrow('no such model');
    await expect(ask()).rejects.toThrow('no such model');
    expect(endpoint.requests.map(({ wire }) => wire)).toEqual([
      'openai-responses',
      'openai-chat',
      'openai-responses',
      'openai-chat',
    ]);
  });

  it('whose config says which interface it has is asked by that alone', async () => {
    await using endpoint = await modelEndpoint(chatAlone);
    const settings = {
      maxAttempts: 1,
      providers: { openai: { isEnabled: true, api: 'responses' as const } },
    };
    await using under = startModels({ environment: at(endpoint.url), settings });
    await expect(under.models.generate({ prompt: 'x', model: 'openai:some' }, idle())).rejects.toThrow('404');
    expect(endpoint.requests.map(({ wire }) => wire)).toEqual(['openai-responses']);
  });
});
