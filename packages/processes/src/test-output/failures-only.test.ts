import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { failuresOnly } from './failures-only.ts';

/** Printed by the runners themselves for the same tests, of which one fails; folders have other names. */
const recorded = (name: string) => readFileSync(new URL(`recorded/${name}.txt`, import.meta.url), 'utf8');

it.each([
  [
    'vitest',
    11,
    ['× rounds to even', '↓ waits for later', 'AssertionError: expected 3 to be 2', '1 failed | 15 passed'],
  ],
  ['vitest-verbose', 15, ['× vi/a.test.mjs > numbers > rounds to even', 'a.test.mjs:8:67']],
  ['jest', 1, ['● numbers › rounds to even', 'Expected: 2', 'Received: 3', '15 passed, 17 total']],
  [
    'jest-verbose',
    18,
    ['✕ rounds to even', '○ skipped waits for later', '● numbers › rounds to even', 'Received: 3'],
  ],
  [
    'mocha',
    17,
    ['  numbers', '1) rounds to even', '- waits for later', '15 passing', 'AssertionError', 'a.cjs:8:64'],
  ],
  [
    'node-spec',
    19,
    ['▶ numbers', '✖ rounds to even', '﹣ waits for later', 'ℹ pass 15', '✖ failing tests', '3 !== 2'],
  ],
  [
    'node-tap',
    90,
    ['not ok 6 - rounds to even', '# SKIP', "error: '1 subtest failed'", '# pass 15', '3 !== 2'],
  ],
  ['tap', 15, ['not ok 6 - rounds to even', '-2', '+3', 'not ok 1 - tapd/a.test.cjs', 'pass: 10, fail: 1']],
  [
    'pytest',
    1,
    ['test_a.py .....F', '>       assert 3 == 2', 'FAILED test_a.py::test_rounds_to_even', '10 passed'],
  ],
  ['pytest-v', 10, ['test_rounds_to_even FAILED', 'test_a.py:18: AssertionError', '1 failed, 10 passed']],
  ['cargo', 5, ['tests::rounds_to_even ... FAILED', 'right: 2', 'test result: FAILED. 5 passed']],
])('keeps of what %s printed how it failed, and counts what passed', (name, leftOut, told) => {
  const text = failuresOnly(recorded(name));
  expect(text.split('\n')[0]).toBe(
    `[… ${leftOut} ${leftOut === 1 ? 'line that tells' : 'lines that tell'} of passed tests left out …]`,
  );
  for (const words of told) expect(text).toContain(words);
  // Tests that passed are called so, or after lists and words, and the source of a failure shows some.
  expect(text).not.toMatch(/(?:✓|✔|^ *ok \d+ -|PASSED|PASS ).*(?:words|lists|numbers)/m);
  if (name !== 'tap') expect(text).toContain('rounding');
});

it('keeps the end of what was run, and all between the failures', () => {
  for (const name of ['vitest', 'jest', 'mocha', 'node-spec', 'pytest', 'cargo']) {
    const whole = recorded(name);
    const kept = new Set(failuresOnly(whole).split('\n'));
    const gone = whole.split('\n').filter((line) => line.trim() !== '' && !kept.has(line));
    for (const line of gone)
      expect(line).toMatch(/[✓✔]|^PASS |\.\.\. ok$|^test_b\.py \.{5}|^ *(?:▶ )?(?:words|lists)$/);
  }
});

it('leaves out of go test what its documentation says that passed', () => {
  const output = [
    '=== RUN   TestAdds',
    '--- PASS: TestAdds (0.00s)',
    '=== RUN   TestRounds',
    '    a_test.go:9: got 3, want 2',
    '--- FAIL: TestRounds (0.00s)',
    'FAIL',
    'FAIL\texample.org/numbers\t0.003s',
    'ok  \texample.org/words\t0.002s',
  ];
  expect(failuresOnly(output.join('\n')).split('\n')).toEqual([
    '[… 4 lines that tell of passed tests left out …]',
    ...output.slice(3, 7),
  ]);
});

it('takes nothing away from what no runner printed, however much it looks like that', () => {
  const output = '✓ compiled\nok 1 - saved\ntest x ... ok\nPASS the salt\n';
  expect(failuresOnly(output)).toBe(output);
});

it('never looks into what is said of a failure', () => {
  const cases = [
    'FAIL a.test.js\n  ● shows ticks\n\n    Expected:\n      ✓ saved\n\nTests:       1 failed, 1 total',
    ' ✓ b 1ms\n⎯⎯ Failed Tests 1 ⎯⎯\n ✓ shown by the program\n Test Files  1 failed (1)',
    'TAP version 14\nnot ok 1 - a\n  ---\n  diff: |\n    ok 2 - b\n  ...\n1..1',
  ];
  for (const output of cases) {
    const kept = failuresOnly(output).split('\n');
    for (const line of output.split('\n').slice(1)) expect(kept).toContain(line);
  }
});

it('tells packages apart that are tested side by side, and colours from text', () => {
  const output = [
    'a:test: PASS one.test.js',
    'b:test:   ● adds',
    'b:test:     \u001b[32m✓\u001b[39m of the program',
    'a:test:   \u001b[32m✓\u001b[39m subtracts',
    'a:test: Tests:       1 passed, 1 total',
    'b:test: Tests:       1 failed, 1 total',
  ];
  expect(failuresOnly(output.join('\n')).split('\n')).toEqual([
    '[… 2 lines that tell of passed tests left out …]',
    output[1],
    output[2],
    ...output.slice(4),
  ]);
});

/** Quadratic time would be half a minute. */
it('reads lines of any length that look like the beginning of something', { timeout: 5_000 }, () => {
  const beginnings = [`a:${'test'.repeat(90_000)}`, `ok - ${' # '.repeat(80_000)}\u2028`];
  const output = ['TAP version 13', ...beginnings.map((line) => `not ${line}`)].join('\n');
  expect(failuresOnly(output)).toBe(output);
  expect(failuresOnly(beginnings[0] ?? '')).toBe(beginnings[0]);
});
