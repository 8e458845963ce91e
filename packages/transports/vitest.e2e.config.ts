import { defineConfig } from 'vitest/config';

/** Many real processes at once. */
export default defineConfig({
  test: {
    include: ['test/e2e/**/*.test.ts'],
    testTimeout: 600_000,
    maxWorkers: 1,
    reporters: ['default', 'json'],
    outputFile: { json: '.reports/e2e.json' },
  },
});
