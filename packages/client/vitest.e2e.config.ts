import { defineConfig } from 'vitest/config';

/** The official suite, a process of our client for each scenario. */
export default defineConfig({
  test: {
    include: ['test/e2e/**/*.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 60_000,
    reporters: ['default', 'json'],
    outputFile: { json: '.reports/e2e.json' },
  },
});
