import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { makeProject, type Project } from '../harness/project.ts';
import { runNexus } from '../harness/run-nexus.ts';
import { startServer } from '../harness/server-process.ts';
import { slowlyVerifiesApp, verifiesApp } from '../harness/verifies.ts';

const gitIn =
  ({ root }: Project) =>
  (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
      cwd: root,
      encoding: 'utf8',
    });

async function makeRepository(env: Record<string, string>) {
  const files = {
    'a.ts': '// a\n',
    'code/mine.ts': '// b\n',
    'logs/mine.log': 'c\n',
    'results/mine': 'd\n',
    'workflows/worktrees/mine/e.ts': '// e\n',
  };
  const project = await makeProject({ files, env });
  const git = gitIn(project);
  git('init', '-q');
  git('add', '-A');
  git('commit', '-qm', 'begin');
  return { project, git };
}

async function use(project: Project): Promise<void> {
  await using server = startServer(project);
  await server.session.initialize();
  await server.session.call('memory_write', { key: 'k', value: 'v', backend: 'session' });
  await server.session.call('list_symbols', { path: 'a.ts' });
}

slowlyVerifiesApp(
  'command.uninstall',
  'takes what Nexus made alone out of a data directory that is the repository',
  async () => {
    const { project, git } = await makeRepository({ NEXUS_DATA_DIR: '.' });
    await using _ = project;
    writeFileSync(project.path('not-in-git.txt'), 'the only copy\n');
    writeFileSync(project.path('clients.json'), '[]\n');
    mkdirSync(project.path('processes'));
    writeFileSync(project.path('processes/mine.txt'), 'mine\n');
    git('add', 'clients.json', 'processes');
    git('commit', '-qm', 'more');
    git('branch', 'nexus/my-own');
    git('branch', 'nexus/some-work-12345678');
    const before = () => readdirSync(project.root).sort();
    const names = before();
    await use(project);
    expect(existsSync(project.path('nexus.sqlite'))).toBe(true);

    const gone = await runNexus(project, ['uninstall', '--yes']);
    expect(gone.exitCode, gone.stderr).toBe(0);
    expect(before()).toEqual(names);
    expect(git('status', '--porcelain')).toBe('?? not-in-git.txt\n');
    expect(readFileSync(project.path('not-in-git.txt'), 'utf8')).toBe('the only copy\n');
    expect(git('branch', '--list', 'nexus/*').trim()).toBe('nexus/my-own');
    expect(gone.stdout).toContain('the branch nexus/my-own');
    expect(gone.stdout).toMatch(/Left: \d+ other files in /);
  },
);

verifiesApp('command.uninstall', 'takes nothing where Nexus never ran', async () => {
  const { project, git } = await makeRepository({ NEXUS_DATA_DIR: '.' });
  await using _ = project;
  for (const name of ['machine', 'clients.json']) writeFileSync(project.path(name), 'mine\n');
  // By names that Nexus gives, too.
  for (const folder of ['audit', 'processes']) mkdirSync(project.path(folder));
  const named = ['http-token', 'logs/nexus.jsonl', 'audit/project', 'processes/12.0123abcd.lock'];
  for (const name of named) writeFileSync(project.path(name), 'mine\n');
  const dry = await runNexus(project, ['uninstall', '--dry-run']);
  expect(dry.exitCode, dry.stderr).toBe(0);
  expect(existsSync(project.path('http-token'))).toBe(true);
  const gone = await runNexus(project, ['uninstall', '--yes', '--all']);
  expect(gone.exitCode, gone.stderr).toBe(0);
  const left = ['audit/', 'clients.json', 'http-token', 'logs/nexus.jsonl', 'machine'];
  expect(git('status', '--porcelain').trim().split('\n')).toEqual(
    expect.arrayContaining(left.map((name) => `?? ${name}`)),
  );
});

slowlyVerifiesApp('command.uninstall-all', 'leaves what lies beside the state and the settings', async () => {
  const { project } = await makeRepository({ NEXUS_DATA_DIR: '' });
  await using _ = project;
  const { HOME = '' } = project.env;
  await use(project);
  const state = join(HOME, '.local', 'state', 'nexus');
  const config = join(HOME, '.config', 'nexus');
  const mine = [project.path('mine')];
  if (process.platform === 'linux') mine.push(join(state, 'mine'), join(config, 'mine'));
  for (const file of mine) writeFileSync(file, 'mine\n');
  if (process.platform === 'linux') {
    const [made = ''] = readdirSync(join(state, 'projects'));
    const odd = join(state, 'projects', made, 'project-folders');
    mkdirSync(join(odd, '0123456789abcdef'));
    execFileSync('mkfifo', [join(odd, '0123456789abcde0')]);
  }
  const gone = await runNexus(project, ['uninstall', '--yes', '--all']);
  expect(gone.exitCode, gone.stderr).toBe(0);
  for (const file of mine) expect(readFileSync(file, 'utf8')).toBe('mine\n');
  if (process.platform !== 'linux') return;
  for (const folder of [state, config]) expect(readdirSync(folder)).toEqual(['mine']);
});
