import { defineConfig } from 'vitest/config';

/** Simulated worlds: `worlds` with each check, `slow` on request. Only a hang may fail one by time. */
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['*.sim.ts'],
    fileParallelism: false,
    testTimeout: 7_200_000,
    reporters: ['default', 'json'],
  },
});
