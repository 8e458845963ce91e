import { describe, expect, it } from 'vitest';
import { fixtureSubject } from '../fixture-subject.ts';
import { pluginLayout } from './plugin-layout.ts';

const tool = (name: string) => `export const it = defineTool({\n  name: '${name}',\n});\n`;
const FILES = {
  'packages/plugins/words/package.json': { name: '@nexus/plugin-words' },
  'packages/plugins/words/src/count-words.ts': tool('count_words'),
  'packages/plugins/words/src/index.test.ts': 'testPlugin(words, { goodCalls: {} });',
};
const check = (changes: Record<string, string | object> = {}) =>
  pluginLayout.run(fixtureSubject({ files: { ...FILES, ...changes } }));

describe('plugin-layout', () => {
  it('finds nothing in a plugin laid out as it should be', () => {
    expect(check()).toEqual([]);
  });

  it('finds a folder that no bundled plugin is named after', () => {
    const found = check({
      'packages/plugins/phrases/package.json': { name: '@nexus/plugin-phrases' },
      'packages/plugins/phrases/src/index.test.ts': 'testPlugin(phrases, {});',
    });
    expect(found).toMatchObject([
      { where: 'packages/plugins/phrases', fix: expect.stringContaining('plugins.ts') },
    ]);
  });

  it('finds a plugin whose tests do not run testPlugin', () => {
    expect(check({ 'packages/plugins/words/src/index.test.ts': 'it();' })).toMatchObject([
      { what: 'no test runs testPlugin' },
    ]);
  });

  it('accepts a suite that several tests share', () => {
    const found = check({
      'packages/plugins/words/src/index.test.ts': 'wordsSuite();',
      'packages/plugins/words/test/words-suite.ts': 'testPlugin(words, {});',
    });
    expect(found).toEqual([]);
  });

  it('finds a tool in a file of another name', () => {
    expect(check({ 'packages/plugins/words/src/counting.ts': tool('count_letters') })).toMatchObject([
      { where: 'packages/plugins/words/src/counting.ts:1', fix: 'rename it to count-letters.ts' },
    ]);
  });

  it('finds a second tool in a file', () => {
    const both = tool('count_words') + tool('count_letters');
    expect(check({ 'packages/plugins/words/src/count-words.ts': both })).toMatchObject([
      { where: 'packages/plugins/words/src/count-words.ts:4', fix: 'move it to count-letters.ts' },
    ]);
  });

  it('does not pass when there is no plugin', () => {
    expect(pluginLayout.run(fixtureSubject())).toMatchObject([{ what: 'looked at no plugin folders' }]);
  });
});
