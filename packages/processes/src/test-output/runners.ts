/** How the text of a test runner is told from others, and what of it tells of passed tests. */
export interface Runner {
  readonly name: string;
  /** What its text has, and no other text. */
  readonly mark: RegExp;
  /** A line that tells of a passed test, or of a file of them. */
  readonly passed: RegExp;
  /** A line above tests, which says nothing where all of them passed. */
  readonly heading?: RegExp;
  /** From this line on it is said how tests failed: all of that is kept. */
  readonly details?: RegExp;
  /** Where that ends; by default nowhere. */
  readonly detailsEnd?: RegExp;
}

export const RUNNERS: readonly Runner[] = [
  {
    name: 'vitest',
    mark: /^ *Test Files {2}\d+ /m,
    passed: /^ *✓ /,
    details: /⎯ Failed (?:Tests|Suites) \d+ ⎯/,
    detailsEnd: /^ RUN {2}v\d/,
  },
  {
    name: 'jest',
    mark: /^Tests: +(?:\d+ [a-z]+, )*\d+ total$/m,
    passed: /^PASS |^ +[✓√] /,
    heading: /^ {2,}\S/,
    details: /^ +● /,
    detailsEnd: /^(?:PASS|FAIL|Test Suites:) /,
  },
  {
    name: 'mocha',
    mark: /^ {2}\d+ passing \(/m,
    passed: /^ +[✔✓√] /,
    heading: /^ {2,}\S/,
    details: /^ {2}\d+ passing \(/,
  },
  {
    name: 'node:test',
    mark: /^ℹ tests \d+$/m,
    passed: /^ *✔ .*\(\d[\d.]*ms\)/,
    heading: /^ *▶ /,
    // Of one test, until the next; then of all.
    details: /^ *✖ /,
    detailsEnd: /^ *(?:✔ .*\(\d[\d.]*ms\)|▶ )/,
  },
  {
    name: 'pytest',
    mark: /^(?:=+ )?(?:\d+ \w+, )*\d+ (?:passed|failed|errors?)\b.* in [\d.]+s/m,
    // By file as a row of dots, by test in words, and in its summary.
    passed: /^(?:\S+ )?\.+ *\[ *\d+%\]$|^[^\s:]+::\S* PASSED(?: |$)|^PASSED /,
    details: /^=+ (?:FAILURES|ERRORS) =+$/,
    detailsEnd: /^=+ (?:short test summary info|warnings summary) /,
  },
  {
    name: 'go test',
    mark: /^(?:ok {2}\t|FAIL\t|--- (?:PASS|FAIL): )/m,
    passed: /^ok {2}\t|^ *--- PASS: |^=== (?:RUN|PAUSE|CONT|NAME) |^PASS$|^\? +\t.*\[no test files\]$/,
    details: /^ *--- FAIL: /,
    detailsEnd: /^(?:=== RUN|ok {2}\t|FAIL\t)|^ *--- PASS: /,
  },
  {
    name: 'cargo test',
    mark: /^test result: (?:ok|FAILED)\. /m,
    passed: /^test .* \.\.\. ok$/,
    details: /^failures:$/,
    detailsEnd: /^running \d+ tests?$/,
  },
];
