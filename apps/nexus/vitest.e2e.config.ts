import { defineConfig } from 'vitest/config';
import { patience } from '../../vitest.shared.ts';

/** Real processes of the built app, with real clients. Three files at a time: most tests wait for processes. */
export default defineConfig({
  test: {
    include: ['test/e2e/**/*.test.ts'],
    // Half of what short files take would go to loading the same modules anew.
    isolate: false,
    globalSetup: ['test/harness/build-fixtures.ts'],
    provide: { tests: 'every-check' },
    ...patience,
    maxWorkers: 3,
    reporters: ['default', 'json'],
    outputFile: { json: '.reports/e2e.json' },
  },
});
