import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import type { Guard } from './guards.ts';
import { type Mutants, readMutants } from './mutants.ts';

const REPORT = 'mutation.json';
const VITEST = 'vitest.mutate.ts';
/** Longer than a test of the package waits for anything, on a machine that has nothing else to do. */
const PATIENCE_MS = 5_000;

/** Every mutant of one file, run against the tests of its package that reach it; `undefined` when time ran out. */
export async function mutateFile(
  copy: string,
  guard: Guard,
  timeoutMs: number,
): Promise<Mutants | undefined> {
  const cwd = join(copy, guard.folder);
  rmSync(join(cwd, REPORT), { force: true });
  writeFileSync(join(cwd, 'stryker.config.json'), JSON.stringify(settingsOf(guard)));
  writeFileSync(join(cwd, VITEST), vitestOf(guard));
  const { timedOut, all } = await execa(process.execPath, [program(), 'run', 'stryker.config.json'], {
    cwd,
    all: true,
    reject: false,
    // Each mutant with a Postgres of its own would take minutes: what only that shows counts as a survivor.
    env: { NEXUS_TEST_POSTGRES: '' },
    timeout: timeoutMs,
    forceKillAfterDelay: 10_000,
  });
  if (timedOut) return undefined;
  if (!existsSync(join(cwd, REPORT))) throw new Error(`Stryker made no report on ${guard.file}:\n${all}`);
  return readMutants(JSON.parse(readFileSync(join(cwd, REPORT), 'utf8')), guard.file);
}

/** In place, since packages import each other by paths that only hold where they are. */
function settingsOf({ file, tests }: Guard): object {
  return {
    testRunner: 'vitest',
    plugins: [
      fileURLToPath(import.meta.resolve('@stryker-mutator/vitest-runner')),
      join(import.meta.dirname, 'words-for-people.mjs'),
    ],
    ignorers: ['words-for-people'],
    inPlace: true,
    mutate: [file],
    // Of what is named, nothing has to be searched for that is related to the file, anew for each mutant.
    vitest: { configFile: VITEST, related: tests.length === 0 },
    dryRunTimeoutMinutes: 15,
    concurrency: 1,
    coverageAnalysis: 'perTest',
    timeoutMS: PATIENCE_MS * crowding(),
    reporters: ['json'],
    jsonReporter: { fileName: REPORT },
    allowConsoleColors: false,
  };
}

/** How many wait for each processor: a test that waits its turn has not hung, and would be counted as one that did. */
function crowding(): number {
  return Math.max(1, Math.ceil((loadavg()[0] ?? 0) / availableParallelism()));
}

/** As the package runs its tests, without a report. Where tests are named there are no others. */
function vitestOf({ tests }: Guard): string {
  const reachedByAll = join(import.meta.dirname, 'reached-by-all.mjs');
  const named = `include: ${JSON.stringify(tests)}, setupFiles: [...config.test.setupFiles, ${JSON.stringify(reachedByAll)}], `;
  return `import config from './vitest.config.ts';
export default { ...config, test: { ...config.test, ${tests.length === 0 ? '' : named}reporters: [] } };
`;
}

function program(): string {
  return fileURLToPath(new URL('../../bin/stryker.js', import.meta.resolve('@stryker-mutator/core')));
}
