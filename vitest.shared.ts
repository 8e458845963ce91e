import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
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

/** The files of a package's unit tests in which something stands, by their paths from its folder. */
export function testsWith(pattern: RegExp, folder: string): string[] {
  return readdirSync(join(folder, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts'))
    .filter((file) => pattern.test(readFileSync(join(folder, 'src', file), 'utf8')))
    .map((file) => `src/${file.replaceAll('\\', '/')}`);
}

/** What `vitest.slowly.ts` leaves of a package's unit tests to the slow step, and its slow tests, run as unit tests are. */
export function slowlyTested(folder: string) {
  return defineConfig({
    test: {
      ...unitTests.test,
      ...slowTests.test,
      include: ['test/slow/**/*.test.ts', ...testsWith(/^\s*(?:slowly|byTurns)[.(<]/m, folder)],
      provide: { tests: 'slow' },
    },
  });
}
