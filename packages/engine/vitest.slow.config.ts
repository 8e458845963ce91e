import { defineConfig } from 'vitest/config';

/** What takes minutes: every point to be killed at, many steps, real stops of processes and databases. */
export default defineConfig({
  test: {
    include: ['test/slow/**/*.test.ts'],
    globalSetup: ['./test/postgres.ts'],
    testTimeout: 600_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
  },
});
