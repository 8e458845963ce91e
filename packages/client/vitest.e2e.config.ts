import { defineConfig } from 'vitest/config';

/** The official suite, a process or three for each scenario. */
export default defineConfig({
  test: {
    include: ['test/e2e/**/*.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 60_000,
    maxConcurrency: 3,
    reporters: ['default', 'json'],
    outputFile: { json: '.reports/e2e.json' },
  },
});
