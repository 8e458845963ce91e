import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { openWorkspace } from '../workspace/open-workspace.ts';
import { readArguments } from '../workspace/read-arguments.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { copyWorkspace } from './copy-workspace.ts';
import { FIGURES, isOld, readFigures, sourceOf, withFigure } from './figures.ts';
import { type Guard, guardsFor, pathOf } from './guards.ts';
import { judge } from './judge.ts';
import { mutateFile } from './mutate-file.ts';
import { readSurvivors } from './survivors.ts';

const HELP = `Changes the code that guards something, one expression at a time, and asks the tests of its package whether they
notice. docs/mutation.md says what is guarded, what survives and why.

  pnpm mutate packages/locks secrets   the guarded files whose path has one of these words in it
  pnpm mutate                          every guarded file: hours
  pnpm mutate --changed                those that the last commit changed
  pnpm mutate --changed --base REV     those that have changed since REV
  pnpm mutate --old                    those that have changed since they were measured
  pnpm mutate --minutes 20             no longer than that; what was not reached is said
  pnpm mutate locks --figures          keeps what was found; \`pnpm governance update\` writes it into docs/mutation.md
`;
const DEFAULT_MINUTES = 600;

const { values, positionals } = readArguments(HELP, {
  allowPositionals: true,
  options: {
    changed: { type: 'boolean' },
    base: { type: 'string' },
    old: { type: 'boolean' },
    minutes: { type: 'string' },
    figures: { type: 'boolean' },
  },
});
await mutate();

async function mutate(): Promise<void> {
  const workspace = openWorkspace();
  const chosen = guardsFor(positionals).filter(isWanted(workspace));
  if (chosen.length === 0) return say('No guarded file to change.');
  const deadline = performance.now() + Number(values.minutes ?? DEFAULT_MINUTES) * 60_000;
  const copy = mkdtempSync(join(tmpdir(), 'nexus-mutate-'));
  // Some tests start a process of another user, which has to read what it runs.
  chmodSync(copy, 0o755);
  try {
    copyWorkspace(workspace, copy);
    for (const guard of chosen) await mutateOne(workspace, copy, guard, deadline);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

async function mutateOne(workspace: Workspace, copy: string, guard: Guard, deadline: number): Promise<void> {
  const path = pathOf(guard);
  const source = sourceOf(readFileSync(join(copy, path), 'utf8'));
  const left = deadline - performance.now();
  const mutants = left > 0 ? await mutateFile(copy, guard, left) : undefined;
  if (!mutants) return say(`${path}: NOT REACHED in the time given`);
  const { score, faults } = judge(mutants, readSurvivors(workspace)[path] ?? []);
  const { total, killed, hung } = mutants;
  say(`${path}: ${killed} of ${total} killed, ${score.toFixed(1)}%`);
  for (const fault of faults) fail(`  ${fault}`);
  if (!values.figures) return;
  const figures = withFigure(readFigures(workspace), path, { source, total, killed, hung });
  writeFileSync(join(workspace.root, FIGURES), `${JSON.stringify(figures, null, 2)}\n`);
}

function isWanted(workspace: Workspace): (guard: Guard) => boolean {
  const figures = readFigures(workspace);
  if (values.old) return (guard) => isOld(workspace, figures, guard);
  if (!values.changed) return () => true;
  const changed = execFileSync('git', ['diff', '--name-only', values.base ?? 'HEAD~1'], {
    cwd: workspace.root,
    encoding: 'utf8',
  });
  const files = new Set(changed.split('\n'));
  return (guard) => files.has(pathOf(guard));
}

function fail(text: string): void {
  process.exitCode = 1;
  say(text);
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
