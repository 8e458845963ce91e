import { expect, it } from 'vitest';
import { proofOf } from './verdict.ts';

const CHANGE = { tests: ['sum.test.js'], others: ['sum.js'] };
const on = (outcome: 'passed' | 'failed' | 'timed_out', name = 'test') => ({ name, outcome });
const around = (before: 'passed' | 'failed', after: 'passed' | 'failed', name = 'test') => ({
  name,
  before,
  after,
});

it('is proved where the new tests are red on the old code and green with the change', () => {
  expect(proofOf({ ...CHANGE, runs: [on('failed')] }, [around('passed', 'passed')])).toEqual({
    verdict: 'proved',
    why: 'Run with the new tests and the old code: `test` failed. Run with the change: passed.',
    tests: ['sum.test.js'],
  });
});

it('is not shown where the new tests are red on the old code for want of what they load alone', () => {
  const output = "Error: Cannot find module './total.js'";
  const { verdict, why } = proofOf({ ...CHANGE, runs: [{ ...on('failed'), output }] }, [
    around('passed', 'passed'),
  ]);
  expect(verdict).toBe('not_shown');
  expect(why).toContain('for want of what they load');
});

it('is proved by a check that failed before, and says that the new tests alone show nothing', () => {
  const { verdict, why } = proofOf({ ...CHANGE, runs: [on('failed')] }, [around('failed', 'passed')]);
  expect(verdict).toBe('proved');
  expect(why).toContain('new tests alone are not shown to be red');
  expect(proofOf({ tests: [], others: ['sum.js'], runs: [] }, [around('failed', 'passed')])).toMatchObject({
    verdict: 'proved',
    why: 'Run before the change: `test` failed. Run with the change: passed.',
  });
});

it('is nothing where the new tests are green on the old code, also where others of them were red before', () => {
  for (const before of ['passed', 'failed'] as const) {
    const proof = proofOf({ ...CHANGE, runs: [on('passed')] }, [around(before, 'passed')]);
    expect(proof.verdict).toBe('proves_nothing');
  }
});

it('looks at each check: a linter that is green on both sides speaks against nothing', () => {
  const runs = [on('passed', 'lint'), on('failed')];
  const checks = [around('passed', 'passed', 'lint'), around('passed', 'passed')];
  expect(proofOf({ ...CHANGE, runs }, checks).verdict).toBe('proved');
});

it.each([
  [
    'nothing but tests was changed',
    { tests: ['a.test.js'], others: [], runs: [] },
    around('failed', 'passed'),
  ],
  ['there is no test', { tests: [], others: ['sum.js'], runs: [] }, around('passed', 'passed')],
  ['it did not end on the old code', { ...CHANGE, runs: [on('timed_out')] }, around('passed', 'passed')],
  ['it is red with the change', { ...CHANGE, runs: [on('failed')] }, around('passed', 'failed')],
])('is not shown where %s', (_, given, check) => {
  expect(proofOf(given, [check]).verdict).toBe('not_shown');
});
