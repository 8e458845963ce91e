import { expect, it } from 'vitest';
import { findApi } from './find-api.ts';

const key = { OPENAI_API_KEY: 'sk-test-key' };

it.each([['/v1'], ['localhost:11434'], ['sk-pasted-into-the-wrong-variable']])(
  'of the address %s says by what it was given, not what it is, and that it cannot be reached',
  (value) => {
    expect(findApi('openai', {}, { ...key, OPENAI_BASE_URL: value }).lack).toBe(
      'has no address to be reached at: OPENAI_BASE_URL has to begin with http:// or https://',
    );
    const own = { isEnabled: true, baseUrl: value };
    expect(findApi('openai', { openai: own }, key).lack).toMatch(
      /: models\.providers\.openai\.baseUrl has to/,
    );
  },
);

it('takes the address of the config before that of a variable, and what is known of it last', () => {
  const variable = { ...key, OPENAI_BASE_URL: 'http://127.0.0.1:1/' };
  const own = { isEnabled: true, baseUrl: 'https://models.example.com' };
  expect(findApi('openai', { openai: own }, variable)).toMatchObject({
    url: 'https://models.example.com/v1',
    lack: undefined,
  });
  expect(findApi('openai', {}, variable)).toMatchObject({ url: 'http://127.0.0.1:1/v1', lack: undefined });
  expect(findApi('openai', {}, key)).toMatchObject({ url: 'https://api.openai.com/v1', lack: undefined });
});
