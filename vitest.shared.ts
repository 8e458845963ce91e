import { defineConfig } from 'vitest/config';

/** Unit tests sit beside the source; the JSON report feeds the closing line of `pnpm check`. */
export const unitTests = defineConfig({
  test: {
    include: ['src/**/*.test.ts'],
    // Half of what a run takes would go to loading the same modules anew for each file.
    isolate: false,
    // Only a hang may fail a test by time: a busy machine must not.
    testTimeout: 30_000,
    hookTimeout: 30_000,
    reporters: ['default', 'json'],
    outputFile: { json: '.reports/unit.json' },
  },
});
