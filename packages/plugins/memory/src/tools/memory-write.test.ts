import { type PluginUnderTest, startPlugin } from '@nexus/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import memory from '../index.ts';

const TOKEN = `ghp_${'aB3dE5fG7hI9jK1lM2nO4pQ6rS8tU0vW2xY4'}`;

describe('memory_write', () => {
  let plugin: PluginUnderTest;
  beforeEach(async () => {
    plugin = await startPlugin(memory);
  });
  afterEach(() => plugin.stop());

  it.each([
    ['value', { key: 'github', value: `use ${TOKEN}` }],
    ['value', { key: 'prod db password', value: 'Tr0ub4dor&3' }],
    ['key', { key: TOKEN, value: 'the token' }],
    ['metadata', { key: 'a', value: 'b', metadata: { tags: [TOKEN] } }],
    ['metadata', { key: 'a', value: 'b', metadata: { deep: { [TOKEN]: 1 } } }],
    ['metadata', { key: 'a', value: 'b', metadata: { login: { password: 'Tr0ub4dor&3' } } }],
  ])('refuses a secret in the %s of %j, stores nothing and never repeats it', async (field, entry) => {
    const result = await plugin.call('memory_write', { backend: 'agentic', ...entry });
    expect(result._meta).toMatchObject({
      'nexus/error': { code: 'NEXUS_SECRET_REFUSED', category: 'permission', detail: { field } },
    });
    const said = JSON.stringify([result, plugin.log, plugin.records]);
    expect(said).not.toContain(TOKEN);
    expect(said).not.toContain('Tr0ub4dor');
    expect(await plugin.answer('memory_query', { query: '*' })).toMatchObject({ total: 0 });
  });

  it.each([
    ['U+0000 in the value', { key: 'a', value: 'a\0b' }, 'U+0000'],
    ['metadata that is too long', { key: 'a', value: 'b', metadata: { note: 'x'.repeat(4000) } }, '4011'],
    ['a value that is too long', { key: 'a', value: 'x'.repeat(20_001) }, '20000'],
    ['a confidence above 1', { key: 'a', value: 'b', confidence: 1.5 }, 'confidence'],
    ['a backend that does not exist', { key: 'a', value: 'b', backend: 'vector' }, 'adaptive'],
    ['links that are no list', { key: 'a', value: 'b', metadata: { links: 'x' } }, 'links'],
  ])('refuses %s and says why', async (_name, entry, reason) => {
    const result = await plugin.call('memory_write', { backend: 'agentic', ...entry });
    expect(result._meta).toMatchObject({ 'nexus/error': { code: 'NEXUS_INVALID_ARGUMENTS' } });
    expect(result.content[0]?.text).toContain(reason);
  });

  it('takes a value of 20 000 characters and gives it back whole', async () => {
    const value = 'word '.repeat(4000);
    await plugin.answer('memory_write', { backend: 'agentic', key: 'long', value });
    const { results } = await plugin.answer<{ results: { value: string }[] }>('memory_query', {
      query: 'word',
    });
    expect(results[0]?.value).toBe(value);
  });
});
