import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isAlive } from '@nexus/processes';
import { expect } from 'vitest';
import { makeProject, type Project } from '../harness/project.ts';
import { runNexus } from '../harness/run-nexus.ts';
import { startServer } from '../harness/server-process.ts';
import { slowlyVerifiesApp, verifiesApp } from '../harness/verifies.ts';

const NOTE = { key: 'k', value: 'v', backend: 'session' };

/** One whose state lies in its user's state directory, as it does unless somebody chooses another. */
async function makeRepository(user: Partial<Project> = {}): Promise<Project> {
  const { HOME = undefined, NEXUS_RUNTIME_DIR = undefined } = user.env ?? {};
  const project = await makeProject({
    files: { 'a.ts': '// a\n' },
    env: {
      NEXUS_DATA_DIR: user.dataDir ?? '',
      ...(HOME ? { HOME, USERPROFILE: HOME, LOCALAPPDATA: HOME } : {}),
      ...(NEXUS_RUNTIME_DIR ? { NEXUS_RUNTIME_DIR } : {}),
    },
  });
  execFileSync('git', ['init', '-q'], { cwd: project.root });
  return project;
}

verifiesApp(
  'command.uninstall-all',
  'ends every server of every project before their state goes',
  async () => {
    await using here = await makeRepository();
    await using there = await makeRepository({ env: here.env });
    await using owner = startServer(there);
    await owner.session.initialize();
    await using bridge = startServer(there);
    await bridge.session.initialize();
    await using alone = startServer(there, { args: ['--standalone'] });
    await alone.session.initialize();
    for (const { session } of [owner, alone]) await session.call('memory_write', NOTE);
    const made = join(there.root, '.git', 'nexus-project-id');
    expect(existsSync(made)).toBe(true);

    const shown = await runNexus(here, ['uninstall', '--all', '--dry-run']);
    for (const { pid } of [owner, alone]) expect(shown.stdout).toContain(`process ${pid} for ${there.root}`);
    expect(shown.stdout).toContain(made);

    const gone = await runNexus(here, ['uninstall', '--all', '--yes']);
    expect(gone.exitCode, gone.stderr).toBe(0);
    for (const { pid } of [owner, bridge, alone]) {
      expect(gone.stdout).toContain(`Process ${pid} has ended.`);
      expect(isAlive(pid)).toBe(false);
    }
    expect(existsSync(made)).toBe(false);
    const after = await runNexus(here, ['uninstall', '--all', '--dry-run']);
    expect(after.stdout).toContain('Nothing is left of this project.');
  },
);

verifiesApp('command.uninstall-all', 'leaves a server of another home, and its sockets', async () => {
  await using here = await makeRepository();
  const { HOME: _, ...meeting } = here.env;
  await using elsewhere = await makeRepository({ env: meeting });
  await using theirs = startServer(elsewhere);
  await theirs.session.initialize();
  await theirs.session.call('memory_write', NOTE);
  await using ours = startServer(here);
  await ours.session.initialize();
  const gone = await runNexus(here, ['uninstall', '--all', '--yes']);
  expect(gone.exitCode, gone.stderr).toBe(0);
  expect(gone.stdout).toContain(`Process ${ours.pid} has ended.`);
  expect(gone.stdout).toContain(`Left: process ${theirs.pid}, a server of another home`);
  expect(gone.stdout).not.toContain(`Process ${theirs.pid} has ended.`);
  // Who comes next meets it there.
  const status = await runNexus(elsewhere, ['status', '--json']);
  expect(JSON.parse(status.stdout)).toMatchObject({ owner: { pid: theirs.pid } });
});

for (const [requirement, more] of [
  ['command.uninstall', []],
  ['command.uninstall-all', ['--all']],
] as const)
  verifiesApp(requirement, 'leaves in a repository what a server of another home needs', async () => {
    await using here = await makeRepository();
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: here.root });
    git('commit', '-q', '--allow-empty', '-m', 'begin');
    git('branch', 'nexus/fix-login-0a1b2c3d');
    const tree = join(here.root, '..', 'tree');
    git('worktree', 'add', '-q', '--detach', tree);
    const { HOME: _, ...meeting } = here.env;
    await using elsewhere = await makeRepository({ env: meeting });
    // In a worktree of it, which has the same branches.
    await using theirs = startServer({ ...elsewhere, root: tree });
    await theirs.session.initialize();
    await theirs.session.call('memory_write', NOTE);
    const made = join(here.root, '.git', 'nexus-project-id');
    for (const how of ['--dry-run', '--yes']) {
      const gone = await runNexus(here, ['uninstall', ...more, how]);
      expect(gone.exitCode, gone.stderr).toBe(0);
      expect(gone.stdout).toContain(`Left: process ${theirs.pid}, a server of another home`);
      expect(gone.stdout).toContain(`Left: the id, the hook and the branches of Nexus in ${here.root}`);
      expect(gone.stdout).not.toContain('the id of the project');
      expect(gone.stdout).not.toContain('nexus/fix-login');
    }
    expect(existsSync(made)).toBe(true);
    expect(String(git('branch', '--list', 'nexus/*'))).toContain('nexus/fix-login-0a1b2c3d');
  });

slowlyVerifiesApp(
  'command.uninstall-all',
  'takes state from folders that other projects chose, and ends what runs on it',
  async () => {
    await using here = await makeRepository();
    const dataDir = join(here.root, '..', 'chosen');
    await using there = await makeRepository({ env: here.env, dataDir });
    await using alone = startServer(there, { args: ['--standalone'] });
    await alone.session.initialize();
    await alone.session.call('memory_write', NOTE);
    const made = join(there.root, '.git', 'nexus-project-id');
    expect(existsSync(made)).toBe(true);
    const gone = await runNexus(here, ['uninstall', '--all', '--yes']);
    expect(gone.exitCode, gone.stderr).toBe(0);
    expect(gone.stdout).toContain(`Process ${alone.pid} has ended.`);
    for (const path of [dataDir, made]) expect(existsSync(path), path).toBe(false);
  },
);

// Windows can't stop a process without ending it.
if (process.platform !== 'win32')
  slowlyVerifiesApp(
    'command.uninstall-all',
    'takes nothing away from under a process that does not end, and names it',
    async () => {
      await using here = await makeRepository();
      await using there = await makeRepository({ env: here.env });
      await using alone = startServer(there, { args: ['--standalone'] });
      await alone.session.initialize();
      await alone.session.call('memory_write', NOTE);
      alone.child.kill('SIGSTOP');
      try {
        const refused = await runNexus(here, ['uninstall', '--all', '--yes']);
        expect(refused).toMatchObject({
          exitCode: 1,
          stderr: expect.stringContaining(`process ${alone.pid}`),
        });
        expect(refused.stderr).toContain('nothing was taken away');
        expect(existsSync(join(there.root, '.git', 'nexus-project-id'))).toBe(true);
      } finally {
        alone.child.kill('SIGCONT');
      }
    },
    40_000,
  );

slowlyVerifiesApp(
  'command.uninstall',
  'leaves nothing by which a new audit trail is taken for another',
  async () => {
    await using project = await makeRepository();
    const write = () =>
      runNexus(project, ['call', 'memory_write', ...Object.entries(NOTE).map(([k, v]) => `${k}=${v}`)]);
    expect(await write()).toMatchObject({ exitCode: 0 });
    expect((await runNexus(project, ['uninstall', '--dry-run'])).stdout).toContain('audit-trails');
    expect(await runNexus(project, ['uninstall', '--yes'])).toMatchObject({ exitCode: 0 });
    expect(await write()).toMatchObject({ exitCode: 0 });
    const audit = await runNexus(project, ['audit']);
    expect(audit.stdout).not.toContain('swapped');
    expect(audit).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('Unaltered: yes') });
  },
);
