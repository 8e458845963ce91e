import { expect, it } from 'vitest';
import { fixtureSubject } from '../fixture-subject.ts';
import { securityTests } from './security-tests.ts';

const TEST = "it('holds, %s', () => {});\nit.each([])(`is ${kept}`, () => {});\n// it says holds, always";

const check = (page: string) =>
  securityTests.run(
    fixtureSubject({ files: { 'docs/security.md': page, 'packages/a/src/b.test.ts': TEST } }),
  );

it.each([
  '- It holds. [b.test.ts](../packages/a/src/b.test.ts "holds, %s")',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: as it stands in the test
  'Prose.\n- It holds ([b](../packages/a/src/b.test.ts "holds, %s"), [b](../packages/a/src/b.test.ts "is ${kept}")).',
])('accepts a point whose tests are there: %s', (page) => {
  expect(check(page)).toEqual([]);
});

it.each([
  ['- It holds.', 'names no test'],
  ['- It holds. `packages/a/src/b.test.ts`', 'names no test'],
  ['- It holds. [b](../packages/a/src/b.test.ts)', 'packages/a/src/b.test.ts and no title of a test in it'],
  [
    '- It holds. [b](../packages/a/src/b.test.ts "holds, always")',
    '"holds, always" of packages/a/src/b.test.ts',
  ],
  ['- It holds. [c](../packages/a/src/c.test.ts "holds")', 'packages/a/src/c.test.ts, which is not there'],
  ['No points.', 'looked at no points'],
])('finds %s', (page, what) => {
  expect(check(page)).toMatchObject([{ what: expect.stringContaining(what) }]);
});
