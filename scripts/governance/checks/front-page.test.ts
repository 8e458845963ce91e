import { describe, expect, it } from 'vitest';
import { fixtureSubject } from '../fixture-subject.ts';
import { frontPage } from './front-page.ts';

const FILES = {
  'README.md': '| words | `count_words` |\n\n- [docs/words.md](docs/words.md#counting): words\n',
  'AGENTS.md': '| Count anew | [docs/recount.md](docs/recount.md) |\n',
  'docs/words.md': '# Words\n',
  'docs/recount.md': '# Count anew\n',
  'docs/decisions/0001-words.md': '# 1. Words\n',
};
const check = (changes: Record<string, string> = {}) =>
  frontPage.run(fixtureSubject({ files: { ...FILES, ...changes } }));

describe('front-page', () => {
  it('finds nothing where each page is linked and each plugin is named', () => {
    expect(check()).toEqual([]);
  });

  it('finds a page that no reader would find', () => {
    expect(check({ 'docs/feeds.md': '# Feeds\n' })).toMatchObject([
      { where: 'docs/feeds.md', what: expect.stringContaining('linked from no page') },
    ]);
    expect(check({ 'AGENTS.md': '' })).toMatchObject([{ where: 'docs/recount.md' }]);
  });

  it('finds a plugin that the first page does not name', () => {
    expect(check({ 'README.md': '[words](docs/words.md)\n' })).toMatchObject([
      { where: 'README.md', what: expect.stringContaining('plugin words') },
    ]);
  });

  it('does not pass when there is no page', () => {
    expect(frontPage.run(fixtureSubject())).toMatchObject([{ what: 'looked at no pages of docs' }]);
  });
});
