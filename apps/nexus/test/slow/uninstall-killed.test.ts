import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'vitest';
import { bin, testDir } from '../harness/app.ts';
import { makeProject, type Project } from '../harness/project.ts';
import { run, runNexus } from '../harness/run-nexus.ts';
import { slowlyVerifiesApp } from '../harness/verifies.ts';

const preload = ['--import', pathToFileURL(join(testDir, 'fixtures/killed-at.mjs')).href];
const git = (cwd: string, ...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd, encoding: 'utf8' });

function commit(root: string): void {
  git(root, 'init', '-q');
  git(root, 'add', '-A');
  git(root, 'commit', '-qm', 'begin');
}

function put(path: string, text = 'mine\n'): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

/** State where it lies by the platform's custom, with worktrees of two repositories and what others put there. */
async function usedProject() {
  const project = await makeProject({ files: { 'a.ts': '// a\n' }, env: { NEXUS_DATA_DIR: '' } });
  const { HOME = '' } = project.env;
  commit(project.root);
  const other = dirname(put(join(HOME, 'other', 'b.ts')));
  commit(other);
  const note = ['call', 'memory_write', 'key=k', 'value=v', 'backend=session'];
  expect(await runNexus(project, note)).toMatchObject({ exitCode: 0 });
  await runNexus(project, ['guard', 'install']);
  const hash = createHash('sha256').update(project.root).digest('hex').slice(0, 8);
  const state = join(HOME, '.local', 'state', 'nexus');
  const dataDir = join(state, 'projects', `${basename(project.root)}-${hash}`);
  expect(existsSync(join(dataDir, 'nexus.sqlite'))).toBe(true);
  const tree = (of: string, id: string, file?: string) => {
    const path = join(dataDir, 'workflows', 'worktrees', id);
    git(of, 'worktree', 'add', '-q', '-b', `nexus/work-${id}`, path);
    writeFileSync(`${path}.held-by.json`, '{}');
    if (file) put(join(path, file));
    return path;
  };
  const clean = [tree(project.root, '00000001'), tree(other, '00000002')];
  const unsaved = [tree(project.root, '00000003', 'c.ts'), tree(other, '00000004', 'c.ts')];
  const unpushed = tree(other, '00000005', 'c.ts');
  git(unpushed, 'add', '-A');
  git(unpushed, 'commit', '-qm', 'work');
  const held = [...unsaved, unpushed];
  const mine = [
    ...held.map((path) => join(path, 'c.ts')),
    put(join(state, 'mine')),
    put(join(state, 'trust', 'mine')),
    put(join(dataDir, 'mine')),
    put(join(dataDir, 'logs', 'mine.log')),
  ];
  return { project, other, dataDir, state, clean, held, mine };
}

/** @returns whether it was killed */
async function killedAt(project: Project, at: number): Promise<boolean> {
  const env = { ...project.env, NEXUS_TEST_KILL_AT: String(at) };
  const args = [...preload, bin, 'uninstall', '--yes', '--all'];
  return (await run({ root: project.root, env }, process.execPath, args)).exitCode === undefined;
}

async function killAndFinish(moments: readonly number[]): Promise<void> {
  const { project, other, dataDir, state, clean, held, mine } = await usedProject();
  await using _ = project;
  const isWhole = () => {
    for (const file of mine) expect(readFileSync(file, 'utf8'), file).toBe('mine\n');
    expect(git(held[2] ?? '', 'log', '-1', '--format=%s').trim()).toBe('work');
  };
  for (const at of moments) {
    expect(await killedAt(project, at)).toBe(true);
    isWhole();
  }
  const gone = await runNexus(project, ['uninstall', '--yes', '--all']);
  expect(gone.exitCode, gone.stderr).toBe(0);
  isWhole();
  for (const path of held) expect(gone.stdout).toContain(`Left: the worktree ${path}, since it has `);
  for (const path of clean) expect(existsSync(path), path).toBe(false);
  expect(readdirSync(dataDir).sort()).toEqual(['logs', 'mine', 'workflows']);
  expect(readdirSync(state).sort()).toEqual(['mine', 'projects', 'trust']);
  for (const [root, ids] of [
    [project.root, ['00000003']],
    [other, ['00000004', '00000005']],
  ] as const) {
    const trees = git(root, 'worktree', 'list', '--porcelain').match(/^worktree .*\/(\d{8})$/gm) ?? [];
    expect(trees.map((line) => line.slice(-8))).toEqual(ids);
    for (const id of ids) expect(git(root, 'branch', '--list', `nexus/work-${id}`)).not.toBe('');
  }
  expect(existsSync(join(project.root, '.git', 'nexus-project-id'))).toBe(false);
  const again = await runNexus(project, ['uninstall', '--all', '--dry-run']);
  expect(again.stdout).toContain('Nothing is there to be taken away.');
  expect(again.stdout).toContain('save that, then remove it by `git worktree remove`');
  // Whoever comes back to Nexus loses it as little.
  expect(await runNexus(project, ['call', 'search_codebase', 'query=a'])).toMatchObject({ exitCode: 0 });
  isWhole();
}

if (process.platform === 'linux') {
  slowlyVerifiesApp(
    'command.uninstall-all',
    'keeps what is nowhere else and what is others’, and goes on where it was killed',
    () => killAndFinish([2, 9]),
    120_000,
  );

  slowlyVerifiesApp(
    'command.uninstall-all',
    'loses nothing by 14 kills in the middle, and finishes after them',
    () => killAndFinish([1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2]),
    240_000,
  );

  slowlyVerifiesApp(
    'command.uninstall',
    'spares what git tracks in a folder by the platform’s custom',
    async () => {
      await using project = await makeProject({ files: { 'a.ts': '// a\n' }, env: { NEXUS_DATA_DIR: '' } });
      const { HOME = '' } = project.env;
      commit(project.root);
      const note = ['call', 'memory_write', 'key=k', 'value=v', 'backend=session'];
      expect(await runNexus(project, note)).toMatchObject({ exitCode: 0 });
      const [name = ''] = readdirSync(join(HOME, '.local/state/nexus/projects'));
      const dataDir = join(HOME, '.local/state/nexus/projects', name);
      const token = put(join(dataDir, 'http-token'));
      const settings = put(join(HOME, '.config/nexus/nexus.config.json'), '{}\n');
      git(HOME, 'init', '-q');
      git(HOME, 'add', '-f', token, settings);
      git(HOME, 'commit', '-qm', 'my home');
      const gone = await runNexus(project, ['uninstall', '--yes', '--all']);
      expect(gone.exitCode, gone.stderr).toBe(0);
      expect(git(HOME, 'status', '--porcelain', '-uno')).toBe('');
      expect(readdirSync(dataDir)).toEqual(['http-token']);
    },
  );
}
