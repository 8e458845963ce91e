import { z } from 'zod';
import type { TestCounts } from './test-counts.ts';

/** A test that failed, or a file that did not load. */
export interface Failure {
  /** The whole path of its file. */
  readonly file: string;
  /** Its suites and its title; undefined where the file did not load. */
  readonly test?: string | undefined;
  /** The first line of what it says of itself. */
  readonly message: string;
}

/** How long the tests of a file took by the clock, among all others. */
export interface FileTime {
  /** The whole path. */
  readonly file: string;
  readonly ms: number;
}

export interface TestReport {
  readonly counts: TestCounts;
  readonly failures: readonly Failure[];
  readonly times: readonly FileTime[];
}

/** The part of vitest's JSON report that is read. */
const Report = z.object({
  numPassedTests: z.number(),
  numPendingTests: z.number(),
  numTodoTests: z.number(),
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string().optional(),
      startTime: z.number(),
      endTime: z.number(),
      assertionResults: z.array(
        z.object({
          status: z.string(),
          fullName: z.string(),
          failureMessages: z.array(z.string()).nullish(),
        }),
      ),
    }),
  ),
});

/**
 * Reads one report. A file that failed without a failed test, since it did not load, counts as one
 * failure: vitest itself counts no test there.
 */
export function readTestReport(json: string): TestReport {
  const report = Report.parse(JSON.parse(json));
  const failures = report.testResults
    .filter(({ status }) => status === 'failed')
    .flatMap(({ name: file, message, assertionResults }): Failure[] => {
      const failed = assertionResults.filter(({ status }) => status === 'failed');
      if (failed.length === 0) return [{ file, message: firstLine(message) }];
      return failed.map(({ fullName, failureMessages }) => ({
        file,
        test: fullName,
        message: firstLine(failureMessages?.[0]),
      }));
    });
  return {
    counts: {
      passed: report.numPassedTests,
      failed: failures.length,
      skipped: report.numPendingTests + report.numTodoTests,
    },
    failures,
    times: report.testResults.map(({ name, startTime, endTime }) => ({
      file: name,
      ms: endTime - startTime,
    })),
  };
}

function firstLine(message = ''): string {
  return message.split('\n', 1)[0]?.slice(0, 300) ?? '';
}
