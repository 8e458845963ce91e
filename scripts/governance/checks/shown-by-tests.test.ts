import { expect, it } from 'vitest';
import { fixtureSubject } from '../fixture-subject.ts';
import { shownByTests } from './shown-by-tests.ts';

const TEST =
  "it('holds, %s', () => {});\nit.each([])(`is ${kept}`, () => {});\n// it says holds, always\nit.skip('rests', () => {});\nit.todo(\n  'is planned',\n);";

const ROW = '| What | Shown by |\n| --- | --- |\n| It holds | [b](../packages/a/src/b.test.ts "holds, %s") |';
const POINT = '- It holds. [b.test.ts](../packages/a/src/b.test.ts "holds, %s")';

const checkOf = (pages: Record<string, string>) => {
  const good = {
    'docs/security.md': POINT,
    'docs/results.md': POINT,
    'docs/attacks.md': ROW,
    'docs/runs.md': ROW,
    'docs/simulator.md': ROW,
  };
  return shownByTests.run(fixtureSubject({ files: { ...good, ...pages, 'packages/a/src/b.test.ts': TEST } }));
};
const check = (page: string) => checkOf({ 'docs/security.md': page });

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
  ['- It holds. [b](../packages/a/src/b.test.ts "rests")', '"rests" of packages/a/src/b.test.ts'],
  ['- It holds. [b](../packages/a/src/b.test.ts "is planned")', '"is planned" of packages/a/src/b.test.ts'],
  ['- It holds. [c](../packages/a/src/c.test.ts "holds")', 'packages/a/src/c.test.ts, which is not there'],
  ['No points.', 'looked at no points'],
])('finds %s', (page, what) => {
  expect(check(page)).toMatchObject([{ what: expect.stringContaining(what) }]);
});

it('holds each row of a table of tests, and of no other table', () => {
  const other = '| A | B |\n| --- | --- |\n| c | d |';
  expect(checkOf({ 'docs/simulator.md': `${other}\n\n${ROW}\n\nProse.` })).toEqual([]);
  expect(checkOf({ 'docs/simulator.md': `${ROW}\n| It does not | nothing |` })).toMatchObject([
    { where: 'docs/simulator.md', what: '"It does not | nothing |…" names no test' },
  ]);
  expect(checkOf({ 'docs/runs.md': other })).toMatchObject([
    { what: expect.stringContaining('points in docs/runs.md') },
  ]);
});

it('holds the points of each page of points', () => {
  expect(checkOf({ 'docs/results.md': '- It holds.' })).toMatchObject([{ where: 'docs/results.md' }]);
});
