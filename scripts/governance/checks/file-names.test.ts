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
    expect(check('packages/core/src/index.ts', 'export {};\n'.repeat(141))).toMatchObject([
      { what: 'has 141 lines; allowed are 140' },
    ]);
  });

  it('does not pass when there is no source', () => {
    expect(fileNames.run(fixtureSubject())).toMatchObject([{ what: 'looked at no source files' }]);
  });
});
