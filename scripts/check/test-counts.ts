import { z } from 'zod';

export interface TestCounts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** The part of vitest's JSON report that is counted. */
const Report = z.object({
  numPassedTests: z.number(),
  numPendingTests: z.number(),
  numTodoTests: z.number(),
  testResults: z.array(
    z.object({ status: z.string(), assertionResults: z.array(z.object({ status: z.string() })) }),
  ),
});

/**
 * Counts one report. A file that failed without a failed test, since it did not load, counts as one
 * failure: vitest itself counts no test there.
 */
export function countTests(json: string): TestCounts {
  const report = Report.parse(JSON.parse(json));
  const failed = report.testResults
    .filter((file) => file.status === 'failed')
    .map((file) => file.assertionResults.filter((test) => test.status === 'failed').length || 1);
  return {
    passed: report.numPassedTests,
    failed: sum(failed),
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

export const NO_TESTS: TestCounts = { passed: 0, failed: 0, skipped: 0 };

export function addCounts(counts: readonly TestCounts[]): TestCounts {
  return {
    passed: sum(counts.map((count) => count.passed)),
    failed: sum(counts.map((count) => count.failed)),
    skipped: sum(counts.map((count) => count.skipped)),
  };
}

/** The line that ends a run, alone on its line. */
export function closingLine({ passed, failed, skipped }: TestCounts): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
