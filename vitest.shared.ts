import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { temporaryFolder } from './vitest.folder.ts';

/** Only a hang may fail a test by time: a busy machine must not. */
export const patience = {
  testTimeout: 300_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: 60_000, interval: 20 } },
  setupFiles: [fileURLToPath(new URL('vitest.patience.ts', import.meta.url))],
};

/** Unit tests sit beside the source; the JSON report feeds the closing line of `pnpm check`. */
export const unitTests = defineConfig({
  test: {
    include: ['src/**/*.test.ts'],
    // Half of what a run takes would go to loading the same modules anew for each file.
    isolate: false,
    // Authorities of the machine's own cost each process that a test starts 25 ms, and none reaches beyond loopback.
    env: { NODE_EXTRA_CA_CERTS: '', TMPDIR: temporaryFolder() },
    ...patience,
    reporters: ['default', 'json'],
    outputFile: { json: '.reports/unit.json' },
  },
});

/** What takes minutes elsewhere: every moment to be killed at, many rounds, real time where other tests hasten it. */
export const slowTests = defineConfig({
  test: {
    include: ['test/slow/**/*.test.ts'],
    ...patience,
    testTimeout: 600_000,
    reporters: ['default', 'json'],
    outputFile: { json: '.reports/slow.json' },
  },
});
