import { describe, expect, it } from 'vitest';
import { fixtureSubject } from '../fixture-subject.ts';
import { fileNames } from './file-names.ts';

const check = (file: string, text = '') => fileNames.run(fixtureSubject({ files: { [file]: text } }));

describe('file-names', () => {
  it.each([
    'packages/core/src/dispatch.ts',
    'apps/nexus/vitest.e2e.config.ts',
    'scripts/check/run-step.test.ts',
  ])('accepts %s', (file) => {
    expect(check(file)).toEqual([]);
  });

  it.each([
    ['packages/core/src/runStep.ts', 'is not kebab-case'],
    ['packages/core/src/Registry/list.ts', 'is not kebab-case'],
    ['packages/core/src/run_step.ts', 'is not kebab-case'],
    ['packages/core/src/utils.ts', 'names no content'],
    ['packages/core/src/helpers/text.ts', 'names no content'],
    ['packages/common/src/text.ts', 'names no content'],
  ])('finds %s', (file, what) => {
    expect(check(file)).toMatchObject([{ where: file, what: expect.stringContaining(what) }]);
  });

  it('finds an index.ts that exports whatever a file has', () => {
    expect(check('packages/core/src/index.ts', "export * from './dispatch.ts';\n")).toMatchObject([
      { fix: 'export by name' },
    ]);
  });

  it('finds an index.ts that is more than a short list', () => {
    expect(check('packages/core/src/index.ts', 'export {};\n'.repeat(181))).toMatchObject([
      { what: 'has 181 lines; allowed are 180' },
    ]);
  });

  it('finds two decisions of one number', () => {
    const named = (...decisions: string[]) =>
      Object.fromEntries(decisions.map((name) => [`docs/decisions/${name}.md`, '']));
    const files = (...decisions: string[]) => ({ 'scripts/a.ts': '', ...named(...decisions) });
    expect(fileNames.run(fixtureSubject({ files: files('0001-a', '0002-b', '0010-c') }))).toEqual([]);
    expect(fileNames.run(fixtureSubject({ files: files('0001-a', '0002-b', '0002-c') }))).toMatchObject([
      { where: 'docs/decisions/0002-c.md', what: 'another decision has the number 0002 too' },
    ]);
  });

  it('does not pass when there is no source', () => {
    expect(fileNames.run(fixtureSubject())).toMatchObject([{ what: 'looked at no source files' }]);
  });
});
