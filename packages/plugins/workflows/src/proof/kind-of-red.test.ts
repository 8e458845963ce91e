import { expect, it } from 'vitest';
import { loadingFault } from './kind-of-red.ts';

const tests = ['test/f.test.js'];

it.each([
  "Error [ERR_MODULE_NOT_FOUND]: Cannot find module '/tree/src/format.js' imported from /tree/test/f.test.js",
  "SyntaxError: The requested module '../src/index.js' does not provide an export named 'formatCents'",
  'SyntaxError: missing ) after argument list',
  'TypeError: m.formatCents is not a function\n    at TestContext.<anonymous> (file:///tree/test/f.test.js:3:30)',
  "ENOENT: no such file or directory, open 'f.txt'\n    at readFileSync (node:fs:441:20)\n    at file:///tree/test/f.test.js:3:30",
  'ReferenceError: wanted is not defined\n    at file:///tree/test/f.test.js:3:30',
  "ModuleNotFoundError: No module named 'money'",
  '  File "/tree/test/f.test.js", line 4, in test_f\nNameError: name \'formatt\' is not defined',
  'No test files found, exiting with code 1',
  'FAIL\tledger [build failed]',
  "test/f.test.ts(3,10): error TS2305: Module has no exported member 'x'.",
])('is of loading, or of the test itself: %s', (output) => {
  expect(loadingFault(`before\n${output}\nafter`, { tests })).toBeDefined();
});

it.each([
  "AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:\n'0.05' !== '-0.05'\n    at file:///tree/test/f.test.js:3:30",
  'TypeError: rates.map is not a function\n    at split (file:///tree/src/split.js:6:3)\n    at file:///tree/test/f.test.js:3:30',
  'SyntaxError: Unexpected token } in JSON at position 3\n    at file:///tree/src/read.js:3:1',
  'ENOENT: no such file or directory\n    at load (file:///tree/src/load.js:2:1)\n    at file:///tree/test/f.test.js:3:3',
])('is of what the code does: %s', (output) => {
  expect(loadingFault(output, { tests })).toBeUndefined();
});

it('is not of what the command prints where it passes too', () => {
  const line = "warn: Cannot find module 'fsevents'";
  expect(loadingFault(`${line}\nAssertionError`, { tests, green: `${line}\nok` })).toBeUndefined();
  expect(loadingFault(`${line}\nAssertionError`, { tests })).toBe(line);
});
