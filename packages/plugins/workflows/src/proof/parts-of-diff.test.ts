import { expect, it } from 'vitest';
import { partsOfDiff } from './parts-of-diff.ts';

const part = (path: string, line: string) =>
  `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}${path.includes(' ') ? '\t' : ''}\n@@ -1 +1 @@\n-old\n+${line}\n`;

it('has whole what a diff says of these files, and nothing of others', () => {
  const [test, code, spaced] = [
    part('test/a.test.js', 'x'),
    part('src/a.test.js', 'y'),
    part('my tests/b.js', 'z'),
  ];
  const diff = `${code}${test}${spaced}`;
  expect(partsOfDiff(diff, ['test/a.test.js'])).toBe(test);
  expect(partsOfDiff(diff, ['my tests/b.js', 'test/a.test.js'])).toBe(`${test}${spaced}`);
  expect(partsOfDiff(diff, ['a.test.js'])).toBe('');
  expect(partsOfDiff(diff, [])).toBe('');
});

it.each(['', 'no diff at all', '+++ b/test/a.test.js\n'])('has nothing of what is no diff: %j', (text) => {
  expect(partsOfDiff(text, ['test/a.test.js'])).toBe('');
});

it('takes a line that is quoted in a file for no other file', () => {
  const quoting = part('src/a.js', 'diff --git a/test/a.test.js b/test/a.test.js');
  expect(partsOfDiff(quoting, ['test/a.test.js'])).toBe('');
});
