import { defineConfig } from 'vitest/config';

/** Many real processes at once, round after round. */
export default defineConfig({
  test: {
    include: ['test/slow/**/*.test.ts'],
    testTimeout: 600_000,
    maxWorkers: 1,
  },
});
