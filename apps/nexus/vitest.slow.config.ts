import { defineConfig } from 'vitest/config';

/** What takes minutes: many rounds, and real time where the other tests hasten it. */
export default defineConfig({
  test: {
    include: ['test/slow/**/*.test.ts'],
    globalSetup: ['test/harness/build-fixtures.ts'],
    testTimeout: 600_000,
    maxWorkers: 2,
  },
});
