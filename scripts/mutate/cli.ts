import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { openWorkspace } from '../workspace/open-workspace.ts';
import { readArguments } from '../workspace/read-arguments.ts';
import { copyWorkspace } from './copy-workspace.ts';
import { withFigures } from './figures.ts';
import { type Guard, guardsFor, pathOf } from './guards.ts';
import { judge, type Survivor } from './judge.ts';
import { mutateFile } from './mutate-file.ts';

const HELP = `Changes the code that guards something, one expression at a time, and asks the tests of its package whether they
notice. docs/mutation.md says what is guarded, what survives and why.

  pnpm mutate packages/locks secrets   the guarded files whose path has one of these words in it
  pnpm mutate                          every guarded file: hours
  pnpm mutate --changed                those that the last commit changed
  pnpm mutate --changed --base REV     those that have changed since REV
  pnpm mutate --minutes 20             no longer than that; what was not reached is said
  pnpm mutate locks --figures          writes what was found into the table of docs/mutation.md
`;
const DEFAULT_MINUTES = 600;
const PAGE = 'docs/mutation.md';

const { values, positionals } = readArguments(HELP, {
  allowPositionals: true,
  options: {
    changed: { type: 'boolean' },
    base: { type: 'string' },
    minutes: { type: 'string' },
    figures: { type: 'boolean' },
  },
});
await mutate();

async function mutate(): Promise<void> {
  const workspace = openWorkspace();
  const lost = guardsFor([]).filter((guard) => !workspace.files.includes(pathOf(guard)));
  if (lost.length > 0)
    fail(`scripts/mutate/guards.ts names what is not there: ${lost.map(pathOf).join(', ')}`);
  const chosen = guardsFor(positionals).filter(isWanted(workspace.root));
  if (chosen.length === 0) return say('No guarded file to change.');
  const deadline = performance.now() + Number(values.minutes ?? DEFAULT_MINUTES) * 60_000;
  const copy = mkdtempSync(join(tmpdir(), 'nexus-mutate-'));
  // Some tests start a process of another user, which has to read what it runs.
  chmodSync(copy, 0o755);
  try {
    copyWorkspace(workspace, copy);
    for (const guard of chosen) await mutateOne(workspace.root, copy, guard, deadline);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

async function mutateOne(root: string, copy: string, guard: Guard, deadline: number): Promise<void> {
  const left = deadline - performance.now();
  const mutants = left > 0 ? await mutateFile(copy, guard, left) : undefined;
  const path = pathOf(guard);
  if (!mutants) return say(`${path}: NOT REACHED in the time given`);
  const { score, faults } = judge(mutants, survivorsOf(root, path));
  say(`${path}: ${mutants.killed} of ${mutants.total} killed, ${score.toFixed(1)}%`);
  for (const fault of faults) fail(`  ${fault}`);
  if (!values.figures) return;
  const page = join(root, PAGE);
  writeFileSync(page, withFigures(readFileSync(page, 'utf8'), path, mutants, score));
}

function isWanted(root: string): (guard: Guard) => boolean {
  if (!values.changed) return () => true;
  const changed = execFileSync('git', ['diff', '--name-only', values.base ?? 'HEAD~1'], {
    cwd: root,
    encoding: 'utf8',
  });
  const files = new Set(changed.split('\n'));
  return (guard) => files.has(pathOf(guard));
}

function survivorsOf(root: string, path: string): readonly Survivor[] {
  const file = join(root, 'scripts/mutate/survivors.json');
  const listed: Record<string, readonly Survivor[]> = JSON.parse(readFileSync(file, 'utf8'));
  return listed[path] ?? [];
}

function fail(text: string): void {
  process.exitCode = 1;
  say(text);
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
