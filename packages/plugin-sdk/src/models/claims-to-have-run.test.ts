import { describe, expect, it } from 'vitest';
import { markClaimsToHaveRun } from './claims-to-have-run.ts';

const MARK = ' (nothing was run)';

describe('an answer for which nothing was run', () => {
  it.each([
    'I ran `npm test` and all 62 tests passed',
    'I have run the tests: green',
    'I ran it: it is red',
    'I’ve executed the snippet',
    'I tested it in node: it printed 1.050KB',
    'We re-ran the suite',
    'I tried it in node',
    'Verified: with this change all four tests are green',
    'All tests pass',
    'The existing tests still pass with this change',
    'The tests in test/bytes.js are green',
    'The new test failed before, and passed after',
    'The tests were run against the change',
    '- **Tested** in node 20',
    'Tested in node 20: 1.05KB',
    'It holds (ran with node 20)',
    'It was verified by running `npm test`',
    'Confirmed with `node -e "bytes(1)"`',
    '`npm test` passes',
    'node printed NaN',
    'It printed 1.050KB',
    'The script printed NaN',
    'Result: 4 passed, 0 failed',
    'Everything is green',
    'All 12 tests green',
    'Tests: green',
    '**Verified** in Node 20',
    '`node -e "bytes(1)"` prints NaN',
    'The output was `1.050KB`',
  ])('says so behind %j', (said) => {
    expect(markClaimsToHaveRun(`See a.ts. ${said}. So it is.`, [])).toBe(
      `See a.ts. ${said}${MARK}. So it is.`,
    );
    expect(markClaimsToHaveRun(said, [{ name: 'read_file' }, { name: 'memory_query' }])).toBe(
      `${said}${MARK}`,
    );
  });

  it.each([
    'Run `npm test` to verify',
    'The tests should be green',
    'After that all tests will pass',
    'The value is checked when it is run',
    'Make sure that all tests pass',
    'Once it is mended, the tests are green',
    'I ran into src/total.ts. Tests that I run are none',
    'I ran a search for it',
    'I ran through the code',
    'I did not run the tests',
    'I haven’t run anything',
    'Nothing was run; no tests were run',
    'The tests were not run',
    'It can be verified by running `npm test`',
    'I verified it at index.js:103',
    'The test passes `0` to `parse()`',
    'The test in test/a.ts covers it',
    'It is tested in test/a.ts',
    'The printed value is 3',
    'They say “I ran it: it is red”',
    'If I ran it, it would be red',
    'A failing test is missing',
    'The green button',
    'I checked both sides',
    'Add a test that is red without the change',
    'Green tests show it',
    'A failing test is to be added',
    'It logs `all tests passed`',
    "- a.js:7: log('all tests passed')",
  ])('is left as it is where it says %j', (said) => {
    expect(markClaimsToHaveRun(`${said}.`, [])).toBe(`${said}.`);
  });

  it('is marked once, and not in what a fence holds', () => {
    const text = 'I ran it: it is red.\n```\nI ran it: it is red.\n```\nI ran it';
    const marked = `I ran it: it is red${MARK}.\n\`\`\`\nI ran it: it is red.\n\`\`\`\nI ran it${MARK}`;
    expect(markClaimsToHaveRun(text, [])).toBe(marked);
    expect(markClaimsToHaveRun(marked, [])).toBe(marked);
  });

  it('may retell what its author was given of a run, and not to have run it', () => {
    const facts = 'Run as things are, `test` ends with 1: the new test failed.';
    expect(markClaimsToHaveRun('The test is red.', [], facts)).toBe('The test is red.');
    expect(markClaimsToHaveRun('I ran it: it is red.', [], facts)).toBe(`I ran it: it is red${MARK}.`);
    const marked = `The test is red${MARK}.`;
    expect(markClaimsToHaveRun('The test is red.', [], marked)).toBe(marked);
  });

  it('is what its author says where something was called that may run', () => {
    expect(markClaimsToHaveRun('I ran it.', [{ name: 'read_file' }, { name: 'run_command' }])).toBe(
      'I ran it.',
    );
  });

  it('takes no longer than it is long', () => {
    for (const part of [
      'I ran ',
      'tests ',
      'I have just ',
      'npm a ',
      'if ',
      '"',
      '“',
      '# ',
      'tested it ',
      '1 tests ',
    ]) {
      const text = part.repeat(20_000);
      expect(markClaimsToHaveRun(text, [])).toContain(part);
      const lines = `${part.repeat(1_000).slice(0, 9_000)}\n`.repeat(20);
      expect(markClaimsToHaveRun(lines, []).length).toBeGreaterThan(0);
    }
  });
});
