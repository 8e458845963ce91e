import { expect, it } from 'vitest';
import { fixtureSubject } from '../fixture-subject.ts';
import { securityTests } from './security-tests.ts';

const check = (page: string) =>
  securityTests.run(fixtureSubject({ files: { 'docs/security.md': page, 'packages/a/src/b.test.ts': '' } }));

it.each([
  '- It holds. [b.test.ts](../packages/a/src/b.test.ts)',
  'Prose.\n- It holds (`packages/a/src/b.test.ts`).',
])('accepts a point whose test is there: %s', (page) => {
  expect(check(page)).toEqual([]);
});

it.each([
  ['- It holds.', 'names no test'],
  ['- It holds. [c.test.ts](../packages/a/src/c.test.ts)', 'packages/a/src/c.test.ts, which is not there'],
  ['No points.', 'looked at no points'],
])('finds %s', (page, what) => {
  expect(check(page)).toMatchObject([{ what: expect.stringContaining(what) }]);
});
