import { defineConfig } from 'vitest/config';
import { temporaryFolder } from '../vitest.folder.ts';

/** Tests of the scripts themselves; run from the root, reported beside the packages' reports. */
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['**/*.test.ts'],
    isolate: false,
    env: { TMPDIR: temporaryFolder() },
    testTimeout: 30_000,
    reporters: ['default', 'json'],
    outputFile: { json: '../.reports/unit.json' },
  },
});
