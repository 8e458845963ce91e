import { describe, expect, it } from 'vitest';
import { addCounts, closingLine, countTests } from './test-counts.ts';

const report = (testResults: { status: string; tests: string[] }[]) => {
  const statuses = testResults.flatMap(({ tests }) => tests);
  return JSON.stringify({
    numPassedTests: statuses.filter((status) => status === 'passed').length,
    numPendingTests: statuses.filter((status) => status === 'pending').length,
    numTodoTests: 0,
    testResults: testResults.map(({ status, tests }) => ({
      status,
      assertionResults: tests.map((test) => ({ status: test })),
    })),
  });
};

describe('countTests', () => {
  it('counts passed, failed and skipped tests', () => {
    const json = report([
      { status: 'passed', tests: ['passed', 'pending'] },
      { status: 'failed', tests: ['passed', 'failed', 'failed'] },
    ]);
    expect(countTests(json)).toEqual({ passed: 2, failed: 2, skipped: 1 });
  });

  it('counts a file that did not load as one failure', () => {
    const json = report([{ status: 'failed', tests: [] }]);
    expect(countTests(json)).toEqual({ passed: 0, failed: 1, skipped: 0 });
  });

  it('refuses a file that is no report of vitest', () => {
    expect(() => countTests('{}')).toThrow();
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
