import { defineConfig } from 'vitest/config';

/** Real processes of the built app, with real clients. Two files at a time: each test starts several processes. */
export default defineConfig({
  test: {
    include: ['test/e2e/**/*.test.ts'],
    isolate: false,
    globalSetup: ['test/harness/build-fixtures.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
    reporters: ['default', 'json'],
    outputFile: { json: '.reports/e2e.json' },
  },
});
