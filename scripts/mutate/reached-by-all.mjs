import { beforeEach } from 'vitest';

/*
 * Stryker tries a mutant by the tests that reached its code first. What is put together at its first use and kept, such
 * as a statement, is reached by the first test alone, and at work in all: where a file has few tests, each of them is to
 * try each mutant, from before its module is loaded. Stryker does so with what no test has reached by itself.
 */
beforeEach(() => {
  const { __stryker__: stryker } = globalThis;
  if (stryker) stryker.currentTestId = undefined;
});
