import { describe, expect, it } from 'vitest';
import { addCounts, closingLine } from './test-counts.ts';
import { readTestReport } from './test-report.ts';

const report = (testResults: { status: string; tests: string[] }[]) => {
  const statuses = testResults.flatMap(({ tests }) => tests);
  return JSON.stringify({
    numPassedTests: statuses.filter((status) => status === 'passed').length,
    numPendingTests: statuses.filter((status) => status === 'pending').length,
    numTodoTests: 0,
    testResults: testResults.map(({ status, tests }) => ({
      name: '/it.test.ts',
      status,
      message: 'It did not load.\n  at line 1',
      startTime: 1_000,
      endTime: 3_500,
      assertionResults: tests.map((test, index) => ({
        status: test,
        fullName: `test ${index}`,
        failureMessages: test === 'failed' ? ['AssertionError: no\n  at line 2'] : [],
      })),
    })),
  });
};

describe('readTestReport', () => {
  it('counts passed, failed and skipped tests', () => {
    const json = report([
      { status: 'passed', tests: ['passed', 'pending'] },
      { status: 'failed', tests: ['passed', 'failed', 'failed'] },
    ]);
    expect(readTestReport(json)).toEqual({
      counts: { passed: 2, failed: 2, skipped: 1 },
      failures: [
        { file: '/it.test.ts', test: 'test 1', message: 'AssertionError: no' },
        { file: '/it.test.ts', test: 'test 2', message: 'AssertionError: no' },
      ],
      times: [
        { file: '/it.test.ts', ms: 2_500 },
        { file: '/it.test.ts', ms: 2_500 },
      ],
    });
  });

  it('counts a file that did not load as one failure', () => {
    const json = report([{ status: 'failed', tests: [] }]);
    expect(readTestReport(json)).toEqual({
      counts: { passed: 0, failed: 1, skipped: 0 },
      failures: [{ file: '/it.test.ts', message: 'It did not load.' }],
      times: [{ file: '/it.test.ts', ms: 2_500 }],
    });
  });

  it('refuses a file that is no report of vitest', () => {
    expect(() => readTestReport('{}')).toThrow();
  });
});

describe('closingLine', () => {
  it('has two numbers', () => {
    expect(closingLine(addCounts([{ passed: 2, failed: 1, skipped: 0 }]))).toBe('2 passed, 1 failed');
  });

  it('names skipped tests only where there are any', () => {
    expect(closingLine({ passed: 2, failed: 0, skipped: 3 })).toBe('2 passed, 0 failed, 3 skipped');
  });
});
