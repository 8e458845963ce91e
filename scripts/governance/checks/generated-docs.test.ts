import { describe, expect, it } from 'vitest';
import { fixtureSubject, fixtureTool } from '../fixture-subject.ts';
import { generatedFiles } from '../generated-files.ts';
import { generatedDocs } from './generated-docs.ts';

/** What a page is made from and no plugin says. */
const sources = {
  'governance/limits.json': {},
  'scripts/mutate/figures.json': {},
  'scripts/mutate/survivors.json': {},
};

const current = (): Record<string, string | object> => {
  const subject = fixtureSubject({ files: sources });
  return {
    ...sources,
    ...Object.fromEntries(generatedFiles.map(({ file, render }) => [file, render(subject)])),
  };
};

describe('generated-docs', () => {
  it('finds nothing where every page is as it would be written now', () => {
    expect(generatedDocs.run(fixtureSubject({ files: current() }))).toEqual([]);
  });

  it('does not mind the line endings of another platform', () => {
    const files = current();
    files['docs/tools.md'] = String(files['docs/tools.md']).replaceAll('\n', '\r\n');
    expect(generatedDocs.run(fixtureSubject({ files }))).toEqual([]);
  });

  it('finds a page that a change of a definition left behind, with the line', () => {
    const subject = fixtureSubject({ files: current(), tools: [fixtureTool({ title: 'Tally words' })] });
    expect(generatedDocs.run(subject)).toMatchObject([
      { where: 'docs/tools.md', what: expect.stringContaining('**Tally words.**') },
    ]);
  });

  it('finds a page that is not there', () => {
    const { 'docs/errors.md': _gone, ...files } = current();
    expect(generatedDocs.run(fixtureSubject({ files }))).toMatchObject([
      { where: 'docs/errors.md', what: 'is not there' },
    ]);
  });

  it('does not pass when there is no plugin', () => {
    const subject = { ...fixtureSubject({ files: current() }), plugins: [] };
    expect(generatedDocs.run(subject)).toMatchObject([{ what: 'looked at no plugins' }]);
  });
});
