import { describe, expect, it } from 'vitest';
import { fixtureSubject, fixtureTool } from '../fixture-subject.ts';
import { distinctDescriptions } from './distinct-descriptions.ts';

const check = (...tools: Parameters<typeof fixtureTool>[0][]) =>
  distinctDescriptions.run(fixtureSubject({ tools: tools.map(fixtureTool) }));

const searches = {
  name: 'search_text',
  title: 'Search text',
  description: 'Finds lines that match a query in the files of a folder. Gives file and line of each hit.',
};

describe('distinct-descriptions', () => {
  it('finds nothing in tools that differ', () => {
    expect(check({}, searches)).toEqual([]);
  });

  it('finds two descriptions with mostly the same words', () => {
    const similar = searches.description.replace('lines', 'words');
    expect(check(searches, { ...searches, title: 'Other', description: similar })).toMatchObject([
      { what: expect.stringContaining('share 89 % of their words') },
    ]);
  });

  it('finds two tools of one title, whatever its case', () => {
    expect(check({}, { ...searches, title: 'count words' })).toMatchObject([
      { what: expect.stringContaining('both have the title') },
    ]);
  });

  it.each([
    ['bare description', { description: 'Searches.' }, 'its description has 9 characters'],
    ['long description', { description: 'word '.repeat(300) }, 'its description has 1500 characters'],
    ['long title', { title: 'Search '.repeat(10) }, 'its title has 70 characters'],
  ])('finds a %s', (_title, change, what) => {
    expect(check(change)).toMatchObject([{ what: expect.stringContaining(what) }]);
  });

  it('does not pass when there is no tool', () => {
    expect(check()).toMatchObject([{ what: 'looked at no tools' }]);
  });
});
