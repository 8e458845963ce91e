import { inject, type TestAPI, it as tests } from 'vitest';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Which of the tests run: those of every check, or those that the slow step adds. */
    tests: 'every-check' | 'slow';
  }
}

/** Whether this is the slow step: what is set up for its tests alone is set up only there. */
export const isSlowStep = inject('tests') === 'slow';

const none = () => {};
/** What is not there, rather than skipped: no count is blurred. */
const absent: TestAPI = Object.assign(none as unknown as TestAPI, {
  each: () => none,
  skipIf: (): TestAPI => absent,
});

/** A test of every check, in a file of which the slow step has tests too. */
export const it = isSlowStep ? absent : tests;

/** Shows more of what a test of every check shows already, beside it, at a cost that only the slow step pays. */
export const slowly = isSlowStep ? tests : absent;

/** One promise in several cases: the first is tested by every check, the others by the slow step. */
export function byTurns<Case extends readonly [unknown, ...unknown[]]>(
  cases: readonly Case[],
): (title: string, test: (...given: [...Case]) => unknown) => void {
  const those = isSlowStep ? cases.slice(1) : cases.slice(0, 1);
  return tests.each(those) as unknown as ReturnType<typeof byTurns<Case>>;
}
