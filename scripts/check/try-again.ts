import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Workspace } from '../workspace/workspace.ts';
import type { Outcome } from './judge.ts';
import { runStep } from './run-step.ts';
import type { Step } from './steps.ts';
import { type Failure, readTestReport } from './test-report.ts';

/** More than these at once are no accident of a busy machine. */
const MOST_FAILURES = 5;

/** The config that each kind of tests runs by, from its package's folder. Simulated worlds repeat exactly: no second try. */
const CONFIGS = {
  unit: 'vitest.config.ts',
  e2e: 'vitest.e2e.config.ts',
  slow: 'vitest.slow.config.ts',
  scripts: 'scripts/vitest.config.ts',
} as const;

export interface SecondTry {
  readonly outcome: Outcome;
  /** Tests that failed among all others and passed alone. */
  readonly unsteady: readonly Failure[];
}

/**
 * Runs the files of a few failed tests once more, alone. Tests that pass then are counted as passed and are named: what a
 * machine under load did to them is told apart from what the change did. A failure that no test explains stays one.
 */
export async function tryAgain(step: Step, outcome: Outcome, workspace: Workspace): Promise<SecondTry> {
  const { failures, counts } = outcome;
  const isExplained = failures.length > 0 && counts.failed === failures.length;
  if (!isExplained || failures.length > MOST_FAILURES || !(step.report && step.report in CONFIGS)) {
    return { outcome, unsteady: [] };
  }
  const config = CONFIGS[step.report as keyof typeof CONFIGS];
  const files = [...new Set(failures.map(({ file }) => file))];
  const passed = new Set<string>();
  let { output, durationMs } = outcome;
  for (const file of files) {
    const folder = step.report === 'scripts' ? workspace.root : folderOf(file, workspace);
    const report = join(workspace.root, '.reports', 'again.json');
    const ran = await runStep(
      {
        ...step,
        command: ['vitest', 'run', file, '--config', join(folder, config), `--outputFile.json=${report}`],
      },
      folder,
      workspace.root,
    );
    durationMs += ran.durationMs;
    output += `\n\nOnce more, alone: ${relative(workspace.root, file)}\n${ran.output}`;
    if (!ran.failed && hasPassed(report)) passed.add(file);
  }
  const unsteady = failures.filter(({ file }) => passed.has(file));
  const left = failures.filter(({ file }) => !passed.has(file));
  return {
    unsteady,
    outcome: {
      ...outcome,
      status: left.length > 0 ? 'failed' : 'passed',
      durationMs,
      output,
      counts: { ...counts, passed: counts.passed + unsteady.length, failed: left.length },
      failures: left,
    },
  };
}

function folderOf(file: string, { root, packages }: Workspace): string {
  const owner = packages
    .map(({ folder }) => join(root, folder))
    .find((folder) => !relative(folder, file).startsWith('..'));
  return owner ?? root;
}

/** A run that found no test has shown nothing. */
function hasPassed(report: string): boolean {
  if (!existsSync(report)) return false;
  const { counts } = readTestReport(readFileSync(report, 'utf8'));
  rmSync(report);
  return counts.failed === 0 && counts.passed > 0;
}
