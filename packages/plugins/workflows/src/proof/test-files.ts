const FOLDERS = ['test', 'tests', '__tests__', '__snapshots__', 'spec', 'specs', 'e2e', 'testdata'];

const NAMES = [
  /[._-](?:test|tests|spec|cy|e2e)\.[a-z]+$/i, // sum.test.ts, sum_test.go, sum_spec.rb, sum-test.el
  /^tests?[_-]/i, // test_sum.py
  /(?:Test|Tests|Spec|IT)\.[a-z]+$/, // SumTest.java, SumTests.cs
  /^conftest\.py$/,
];

/** Whether a path, with `/`, is that of a test or of what tests alone use, by its name or a folder that it lies in. */
export function isTestFile(path: string): boolean {
  const folders = path.split('/');
  const name = folders.pop() ?? '';
  return folders.some((folder) => FOLDERS.includes(folder)) || NAMES.some((pattern) => pattern.test(name));
}
