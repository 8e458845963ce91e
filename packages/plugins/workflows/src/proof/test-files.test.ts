import { expect, it } from 'vitest';
import { isTestFile } from './test-files.ts';

it.each([
  'sum.test.js',
  'src/sum.spec.tsx',
  'pkg/sum_test.go',
  'lib/sum_spec.rb',
  'test_sum.py',
  'src/test/java/a/Sum.java',
  'src/SumTest.java',
  'Sum.Tests/SumTests.cs',
  'tests/helpers/make.py',
  'src/__snapshots__/a.snap',
  'app/conftest.py',
])('%s is of a test', (path) => {
  expect(isTestFile(path)).toBe(true);
});

it.each([
  'sum.js',
  'src/testing.ts',
  'src/contest.py',
  'src/latest.js',
  'src/Latest.java',
  'docs/test.md',
  'README.md',
])('%s is none', (path) => {
  expect(isTestFile(path)).toBe(false);
});
