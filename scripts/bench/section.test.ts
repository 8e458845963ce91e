import { describe, expect, it } from 'vitest';
import { sectionOf, withSection } from './section.ts';

const PAGE = '# Page\n\nWords.\n\n## One\n\nfirst\n\n## Two\n\nsecond\n';

describe('a section of a page', () => {
  it('is found without the next one, and is not there where nothing has its heading', () => {
    expect(sectionOf(PAGE, '## One')).toEqual({ heading: '## One', text: 'first' });
    expect(sectionOf(PAGE, '## Two')).toEqual({ heading: '## Two', text: 'second' });
    expect(sectionOf(PAGE, '## On')).toBeUndefined();
  });

  it('is written in the place of the one that was there, and leaves the others', () => {
    const page = withSection(PAGE, { heading: '## One', text: 'anew' });
    expect(page).toBe('# Page\n\nWords.\n\n## One\n\nanew\n\n## Two\n\nsecond\n');
    expect(withSection(page, { heading: '## One', text: 'first' })).toBe(PAGE);
    expect(withSection(PAGE, { heading: '## Two', text: 'anew' })).toBe(PAGE.replace('second', 'anew'));
  });

  it('is put at the end where there was none', () => {
    expect(withSection(PAGE, { heading: '## Three', text: 'third' })).toBe(`${PAGE}\n## Three\n\nthird\n`);
  });
});
