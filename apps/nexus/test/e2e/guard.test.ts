import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { makeProject } from '../harness/project.ts';
import { run, runNexus } from '../harness/run-nexus.ts';
import { startServer } from '../harness/server-process.ts';
import { shareProject } from '../harness/shared-project.ts';
import { slowlyVerifiesApp, verifiesApp } from '../harness/verifies.ts';

verifiesApp('command.guard', 'refuses a commit of reserved files, however it is made', async () => {
  await using project = await shareProject();
  const as = (worker?: string) => ({
    root: project.root,
    env: { ...project.env, ...(worker === undefined ? {} : { NEXUS_WORKER: worker }) },
  });
  const git = (args: readonly string[], worker?: string) =>
    run(as(worker), 'git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args]);
  const write = (path: string, text: string) => writeFileSync(join(project.root, path), text);
  await git(['init', '--quiet']);
  mkdirSync(join(project.root, 'src'));
  const { session } = await project.host();
  await session.call('register_worker', { name: 'ann' });
  await session.call('register_worker', { name: 'ben' });
  await session.call('reserve_files', { worker: 'ann', globs: ['SRC/a*.ts', 'docs/'] });
  await session.call('reserve_files', { worker: 'ben', globs: ['shared.txt'], exclusive: false });
  expect(await runNexus(project, ['guard', 'install'])).toMatchObject({ exitCode: 0 });

  write('src/api ü.ts', '1');
  write('shared.txt', '1');
  await git(['add', '.']);
  const refused = {
    exitCode: 1,
    stderr: expect.stringMatching(
      /^nexus: Not committed: a file is .*\n {2}src\/api ü\.ts: ann has SRC\/a\*\.ts/,
    ),
  };
  expect(await git(['commit', '-m', 'one'])).toMatchObject(refused);
  expect(await git(['commit', '-m', 'one'], 'ben')).toMatchObject(refused);
  expect(await git(['commit', '-m', 'one'], 'ann')).toMatchObject({ exitCode: 0 });
  // What `-a` and a path take is in no index of the working tree's.
  write('src/api ü.ts', '2');
  write('shared.txt', '2');
  expect(await git(['commit', '-am', 'two'])).toMatchObject(refused);
  expect(await git(['commit', '-m', 'two', 'shared.txt'])).toMatchObject({ exitCode: 0 });
  // A file that goes away is changed, under its old name.
  await git(['mv', '-f', 'src/api ü.ts', 'src/b.ts']);
  expect(await git(['commit', '-am', 'three'])).toMatchObject(refused);
  expect(await runNexus(project, ['guard', 'check', '--worker', 'ben'])).toMatchObject(refused);
  expect(await git(['commit', '--no-verify', '-am', 'three'])).toMatchObject({ exitCode: 0 });
});

verifiesApp(
  'command.guard',
  'holds commits of a linked worktree to what is reserved in the main one',
  async () => {
    await using project = await shareProject();
    const tree = project.path('linked');
    const git = (root: string, ...args: string[]) =>
      run({ root, env: project.env }, 'git', [
        '-c',
        'user.name=t',
        '-c',
        'user.email=t@example.com',
        ...args,
      ]);
    await git(project.root, 'init', '--quiet');
    writeFileSync(join(project.root, 'a.txt'), '1');
    await git(project.root, 'add', '.');
    await git(project.root, 'commit', '--quiet', '-m', 'one');
    expect(await git(project.root, 'worktree', 'add', '--quiet', tree)).toMatchObject({ exitCode: 0 });
    const { session } = await project.host();
    await session.call('register_worker', { name: 'ann' });
    await session.call('reserve_files', { worker: 'ann', globs: ['a.txt'] });
    const installed = await runNexus({ ...project, root: tree }, ['guard', 'install']);
    expect(installed).toMatchObject({ exitCode: 0 });
    expect(installed.stdout).toContain(`What is reserved in ${project.root} holds commits in all of them`);
    writeFileSync(join(tree, 'a.txt'), '2');
    const refused = await git(tree, 'commit', '-am', 'two');
    expect(refused).toMatchObject({ exitCode: 1 });
    expect(refused.stderr).toContain(`reserved by others in ${project.root}.\n  a.txt: ann has a.txt`);
    await session.call('release_files', { worker: 'ann' });
    expect(await git(tree, 'commit', '-am', 'two')).toMatchObject({ exitCode: 0 });
  },
);

verifiesApp(
  'command.guard',
  'asks the projects in subfolders of a repository that the files of a commit lie in',
  async () => {
    await using project = await makeProject({
      files: {
        'pk/our x/nexus.config.json': '{"project":{"id":"our-x"}}',
        'pk/our x/src/a.ts': '1',
        'pk/y/nexus.config.json': '{}',
        'pk/y/src/a.ts': '1',
        'src/a.ts': '1',
      },
    });
    const inner = project.path('pk', 'our x');
    const tree = project.path('..', 'linked');
    const git = (root: string, ...args: string[]) =>
      run({ root, env: project.env }, 'git', [
        '-c',
        'user.name=t',
        '-c',
        'user.email=t@example.com',
        ...args,
      ]);
    await git(project.root, 'init', '--quiet');
    await git(project.root, 'add', '.');
    await git(project.root, 'commit', '--quiet', '-m', 'one');
    await git(project.root, 'worktree', 'add', '--quiet', tree);
    await using server = startServer({ ...project, root: inner });
    const { session } = server;
    await session.initialize();
    await session.call('register_worker', { name: 'ann' });
    await session.call('reserve_files', { worker: 'ann', globs: ['src/a.ts'] });
    expect(await runNexus({ ...project, root: inner }, ['guard', 'install'])).toMatchObject({ exitCode: 0 });

    const refused = {
      exitCode: 1,
      stderr: expect.stringContaining(`reserved by others in ${inner}.\n  src/a.ts: ann has src/a.ts`),
    };
    for (const top of [project.root, tree]) {
      const within = join(top, 'pk', 'our x');
      writeFileSync(join(within, 'src', 'a.ts'), '2');
      for (const folder of [top, within]) {
        expect(await git(folder, 'commit', '-am', 'two'), folder).toMatchObject(refused);
      }
      // The same name in another project, and at the top, is another file.
      await git(top, 'reset', '--quiet', '--hard');
      for (const path of ['pk/y/src/a.ts', 'src/a.ts']) writeFileSync(join(top, path), '3');
      expect(await git(top, 'commit', '-am', 'three'), top).toMatchObject({ exitCode: 0 });
    }
    writeFileSync(join(inner, 'src', 'a.ts'), '4');
    await git(project.root, 'add', '.');
    for (const root of [project.root, inner]) {
      expect(await runNexus({ ...project, root }, ['guard', 'check']), root).toMatchObject(refused);
    }
    await git(project.root, 'reset', '--quiet', '--hard');
    // A commit that takes the project's config away, or all of it, is held to what that had reserved.
    for (const top of [project.root, tree]) {
      const within = join(top, 'pk', 'our x');
      for (const away of [[join(within, 'nexus.config.json'), join(within, 'src')], [within]]) {
        for (const path of away) rmSync(path, { recursive: true });
        expect(await git(top, 'commit', '-am', 'away'), top).toMatchObject({
          exitCode: 1,
          stderr: expect.stringMatching(
            /reserved by others in .*our x\.\n {2}src\/a\.ts: ann has src\/a\.ts/,
          ),
        });
        await git(top, 'reset', '--quiet', '--hard');
      }
    }
    writeFileSync(join(inner, 'src', 'a.ts'), '4');
    await git(project.root, 'add', '.');
    await session.call('release_files', { worker: 'ann' });
    // A config is named from where the command was started.
    const named = ['guard', 'check', '--config', 'nexus.config.json'];
    expect(await runNexus({ ...project, root: inner }, named)).toMatchObject({ exitCode: 0 });
    expect(await git(inner, 'commit', '-m', 'four')).toMatchObject({ exitCode: 0 });
  },
);

slowlyVerifiesApp(
  'command.guard',
  'leaves a hook that is there, and takes away none but its own',
  async () => {
    await using project = await shareProject();
    const hooks = join(project.root, '.git', 'hooks');
    const file = join(hooks, 'pre-commit');
    const guard = (...args: string[]) => runNexus(project, ['guard', ...args]);
    expect(await guard('install')).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('git') });
    await run(project, 'git', ['init', '--quiet', '--template=']);
    for (const _ of ['once', 'again']) expect(await guard('install')).toMatchObject({ exitCode: 0 });
    expect(readFileSync(file, 'utf8')).toContain('guard check --stdin');
    expect((await guard('remove')).stdout).toContain(`Removed: ${file}`);
    writeFileSync(file, '#!/bin/sh\nexit 0\n');
    expect(await guard('install')).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(
        /hook already, and it stays[\s\S]*\n {2}git diff --cached .*guard check --stdin/,
      ),
    });
    expect(await guard('remove')).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('stays') });
    expect(readFileSync(file, 'utf8')).toBe('#!/bin/sh\nexit 0\n');
    // A folder of hooks that the repository names is the place.
    await run(project, 'git', ['config', 'core.hooksPath', '.hooks']);
    expect((await guard('install')).stdout).toContain(join(project.root, '.hooks', 'pre-commit'));
    // One of all repositories is not for this one to write.
    await run(project, 'git', ['config', '--unset', 'core.hooksPath']);
    await run(project, 'git', ['config', '--global', 'core.hooksPath', project.path('of-all')]);
    expect(await guard('install')).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('of all your'),
    });
    expect(existsSync(project.path('of-all'))).toBe(false);
    expect(await guard('away')).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('install, remove'),
    });
  },
);
