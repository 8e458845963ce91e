export interface TestCounts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
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
