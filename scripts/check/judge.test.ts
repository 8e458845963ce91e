import { describe, expect, it } from 'vitest';
import { judge, notRun } from './judge.ts';
import type { Step } from './steps.ts';

const lint: Step = { name: 'lint', command: ['biome'], proves: 'rules hold' };
const unit: Step = { name: 'unit', command: ['vitest'], proves: 'tests pass', report: 'unit' };
const ran = { failed: false, durationMs: 1, output: 'printed' };
const green = { counts: { passed: 3, failed: 0, skipped: 1 }, failures: [], times: [] };
const red = (failed: number) => ({
  counts: { passed: 1, failed, skipped: 0 },
  failures: [{ file: '/it.test.ts', test: 'it', message: 'no' }],
  times: [],
});

describe('judge', () => {
  it('counts nothing for a step without tests that passed', () => {
    expect(judge(lint, ran, undefined)).toMatchObject({
      status: 'passed',
      counts: { passed: 0, failed: 0, skipped: 0 },
    });
  });

  it('counts one failure for a step without tests that failed', () => {
    const outcome = judge(lint, { ...ran, failed: true }, undefined);
    expect(outcome).toMatchObject({ status: 'failed', output: 'printed', counts: { failed: 1 } });
  });

  it('adds up the reports of a step of tests', () => {
    const outcome = judge(unit, ran, { present: [green, green], missing: [] });
    expect(outcome).toMatchObject({ status: 'passed', counts: { passed: 6, failed: 0, skipped: 2 } });
  });

  it('counts failed tests as they are, and no failure beside them', () => {
    const reports = { present: [green, red(2)], missing: [] };
    expect(judge(unit, { ...ran, failed: true }, reports)).toMatchObject({
      status: 'failed',
      counts: { passed: 4, failed: 2 },
      failures: [{ file: '/it.test.ts', test: 'it' }],
    });
  });

  it('fails a step of tests that exits well with a failed test in its report', () => {
    const reports = { present: [red(1)], missing: [] };
    expect(judge(unit, ran, reports).status).toBe('failed');
  });

  it('counts one failure when a step of tests fails with every test green', () => {
    const outcome = judge(unit, { ...ran, failed: true }, { present: [green], missing: [] });
    expect(outcome).toMatchObject({ status: 'failed', counts: { passed: 3, failed: 1 } });
  });

  it('fails, and says which, when a report is missing although the step exits well', () => {
    const outcome = judge(unit, ran, { present: [green], missing: ['packages/core/.reports/unit.json'] });
    expect(outcome).toMatchObject({ status: 'failed', counts: { passed: 3, failed: 1 } });
    expect(outcome.output).toContain('No report at packages/core/.reports/unit.json');
  });

  it('fails when not one test ran', () => {
    const outcome = judge(unit, ran, { present: [], missing: [] });
    expect(outcome).toMatchObject({ status: 'failed', counts: { failed: 1 } });
    expect(outcome.output).toContain('No test ran.');
  });
});

describe('notRun', () => {
  it('counts nothing, since the step it needs is counted already', () => {
    expect(notRun(unit, 'build')).toMatchObject({ status: 'not run', counts: { passed: 0, failed: 0 } });
  });
});
