import { describe, expect, it } from 'vitest';
import { fixtureSubject, fixtureTool } from '../fixture-subject.ts';
import { toolsOfPlugins } from './tools-of-plugins.ts';

const check = (file: string, text: string, tools = [fixtureTool()]) =>
  toolsOfPlugins.run(fixtureSubject({ files: { 'packages/core/src/index.ts': '', [file]: text }, tools }));

describe('tools-of-plugins', () => {
  it.each([
    ['packages/core/src/a.ts', '\n// count_words would be one\nconst a = "count_words_twice";'],
    ['packages/core/src/a.test.ts', '\nconst a = "count_words";'],
    ['packages/plugins/words/src/a.ts', '\nconst a = "count_words";'],
  ])('finds nothing in %s: %j', (file, text) => {
    expect(check(file, text)).toEqual([]);
  });

  it.each([
    ['packages/core/src/a.ts', "\nconst a = 'for count_words.';"],
    ['packages/server/src/a.ts', '\nif (name === `count_words`) stop();'],
  ])('finds in %s: %j', (file, text) => {
    expect(check(file, text)).toMatchObject([
      { where: `${file}:2`, what: expect.stringContaining('count_words') },
    ]);
  });

  it('does not pass when there is nothing to look at', () => {
    expect(toolsOfPlugins.run(fixtureSubject())).toMatchObject([{ what: 'looked at no files' }]);
    expect(check('packages/core/src/a.ts', '', [])).toMatchObject([{ what: 'looked at no tools' }]);
  });
});
