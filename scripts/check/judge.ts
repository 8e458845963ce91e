import type { Ran } from './run-step.ts';
import type { Step } from './steps.ts';
import { addCounts, NO_TESTS, type TestCounts } from './test-counts.ts';
import type { Failure } from './test-report.ts';
import type { Reports } from './test-reports.ts';

export interface Outcome {
  readonly step: string;
  readonly status: 'passed' | 'failed' | 'not run';
  readonly durationMs: number;
  /** What to show when it did not pass. */
  readonly output: string;
  /** Its share of the closing line: its tests, or one failure where a step without tests failed. */
  readonly counts: TestCounts;
  /** Which tests failed. */
  readonly failures: readonly Failure[];
}

const ONE_FAILURE: TestCounts = { ...NO_TESTS, failed: 1 };

/**
 * What a finished step comes to. Tests that left no report, or none that passed, did not run, whatever
 * the exit code says; a failure that no test explains counts as one, so that the closing line never
 * says "0 failed" of a run that failed.
 */
export function judge(step: Step, ran: Ran, reports: Reports | undefined): Outcome {
  const told = { step: step.name, durationMs: ran.durationMs, failures: [] };
  if (reports === undefined) {
    const status = ran.failed ? 'failed' : 'passed';
    return { ...told, status, output: ran.output, counts: ran.failed ? ONE_FAILURE : NO_TESTS };
  }
  const tests = addCounts(reports.present.map(({ counts }) => counts));
  const faults = [
    ...reports.missing.map((file) => `No report at ${file}: its tests did not run.`),
    ...(tests.passed + tests.failed === 0 ? ['No test ran.'] : []),
  ];
  if (!ran.failed && tests.failed === 0 && faults.length === 0) {
    return { ...told, status: 'passed', output: ran.output, counts: tests };
  }
  const isExplained = tests.failed > 0 && faults.length === 0;
  return {
    ...told,
    status: 'failed',
    output: [ran.output, ...faults].join('\n'),
    counts: isExplained ? tests : addCounts([tests, ONE_FAILURE]),
    failures: reports.present.flatMap(({ failures }) => failures),
  };
}

/** A step whose precondition failed counts for nothing: that failure is counted already. */
export function notRun(step: Step, needed: string): Outcome {
  const output = `It needs "${needed}", which did not pass.`;
  return { step: step.name, status: 'not run', durationMs: 0, output, counts: NO_TESTS, failures: [] };
}
