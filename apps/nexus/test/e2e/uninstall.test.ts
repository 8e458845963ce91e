import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { makeProject } from '../harness/project.ts';
import { runNexus } from '../harness/run-nexus.ts';
import { startServer } from '../harness/server-process.ts';
import { slowlyVerifiesApp, verifiesApp } from '../harness/verifies.ts';

verifiesApp('command.uninstall', 'shows what is left, asks, and takes it away with what runs', async () => {
  await using project = await makeProject({ files: { 'a.ts': '// a\n' } });
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
      cwd: project.root,
      encoding: 'utf8',
    });
  git('init', '-q');
  git('add', '-A');
  git('commit', '-qm', 'begin');
  git('branch', 'nexus/some-work-12345678');
  await using server = startServer(project);
  await server.session.initialize();
  await server.session.call('memory_write', { key: 'k', value: 'v', backend: 'session' });
  const made = join(project.root, '.git', 'nexus-project-id');
  expect(existsSync(made)).toBe(true);
  const hook = join(project.root, '.git', 'hooks', 'pre-commit');
  await runNexus(project, ['guard', 'install']);
  const shown = await runNexus(project, ['uninstall', '--dry-run']);
  for (const part of [
    hook,
    'nexus/some-work-12345678 (begin)',
    made,
    project.dataDir,
    'where its processes meet',
  ])
    expect(shown.stdout).toContain(part);
  expect(shown.stdout).toContain('What you wrote stays');
  const unasked = await runNexus(project, ['uninstall']);
  expect(unasked.exitCode).toBe(1);
  expect(unasked.stderr).toContain('--yes');
  expect(existsSync(project.dataDir)).toBe(true);
  const kept = await runNexus(project, ['uninstall', '--yes', '--keep-branches']);
  expect(kept).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/Process \d+ has ended/) });
  const named = `Left: the branch nexus/some-work-12345678 (begin) in ${project.root}, as --keep-branches says.`;
  expect(kept.stdout).toContain(named);
  expect(git('branch', '--list', 'nexus/*').trim()).toBe('nexus/some-work-12345678');
  await server.exit();
  const stays = await runNexus(project, ['uninstall', '--dry-run', '--keep-branches']);
  expect(stays.stdout).toContain(named);
  expect(stays.stdout).toContain('Nothing is there to be taken away.');
  expect(stays.stdout).not.toContain('Nothing is left');
  const rest = await runNexus(project, ['uninstall', '--yes']);
  expect(rest.exitCode, rest.stderr).toBe(0);
  expect(git('branch', '--list', 'nexus/*').trim()).toBe('');
  expect(existsSync(made)).toBe(false);
  expect(existsSync(hook)).toBe(false);
  expect(existsSync(project.dataDir) ? readdirSync(project.dataDir) : []).toEqual([]);
  expect((await runNexus(project, ['uninstall', '--dry-run'])).stdout).toContain(
    'Nothing is left of this project.',
  );
  expect(git('log', '--format=%s').trim()).toBe('begin');
});

slowlyVerifiesApp(
  'command.uninstall',
  'keeps a branch with the only copy of work, and says what deletes it',
  async () => {
    await using project = await makeProject({ files: { 'a.ts': '// a\n' } });
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
        cwd: project.root,
        encoding: 'utf8',
      });
    git('init', '-q', '-b', 'main');
    git('add', '-A');
    git('commit', '-qm', 'begin');
    git('branch', 'nexus/merged-12345678');
    git('checkout', '-qb', 'nexus/only-copy-0a1b2c3d');
    git('commit', '-q', '--allow-empty', '-m', 'the work');
    git('checkout', '-q', 'main');
    await runNexus(project, ['runs']);
    const branches = () => git('branch', '--list', '--format=%(refname:short)', 'nexus/*').trim();
    for (const words of [
      ['uninstall', '--yes'],
      ['uninstall', '--yes', '--all'],
    ]) {
      const { exitCode, stdout, stderr } = await runNexus(project, words);
      expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
      expect(stdout).toMatch(
        /Left: the branch nexus\/only-copy-0a1b2c3d in .* \(the work\), since it has commits that are on no other branch.*`git branch -D nexus\/only-copy-0a1b2c3d`/,
      );
      expect(branches()).toBe('nexus/only-copy-0a1b2c3d');
      expect(stdout).not.toContain('Nothing is left');
    }
    git('merge', '-q', 'nexus/only-copy-0a1b2c3d');
    expect((await runNexus(project, ['uninstall', '--yes'])).exitCode).toBe(0);
    expect(branches()).toBe('');
  },
);
