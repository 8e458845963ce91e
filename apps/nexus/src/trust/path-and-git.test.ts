import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { repositoryFolder } from '../../test/repository-folder.ts';
import type { CommandLine } from './line-files.ts';
import { programFiles } from './program-files.ts';

const repository = repositoryFolder();
const { put } = repository;
beforeEach(() => {
  put('server.mjs');
});

const read = (line: CommandLine) => programFiles(line, { folder: repository.top, top: repository.top });
const NODE = { command: 'node', args: ['server.mjs'] };

describe('a program that the PATH may find in the project', () => {
  it.each([
    [NODE, ':/usr/bin', 'node'],
    [NODE, '/usr/bin:', 'node'],
    [NODE, '/usr/bin::/bin', 'node'],
    [NODE, '.:/usr/bin', 'node'],
    [NODE, 'TOP:/usr/bin', 'node'],
    [NODE, '', 'node'],
    [NODE, 'tools:/usr/bin', 'tools/node'],
    [{ command: 'sh', args: ['-c', 'exec node server.mjs'] }, '.:/usr/bin', 'node'],
    [{ command: 'env', args: ['node', 'server.mjs'] }, '.:/usr/bin', 'node'],
    [{ command: './tool' }, '.:/usr/bin', 'node'],
    [{ ...NODE, cwd: 'sub', args: ['../server.mjs'] }, ':/usr/bin', 'sub/node'],
  ])('is held as not there, and is said to run more once it is: %j with PATH=%s', (line, path, file) => {
    put('tool', '#!/usr/bin/env node\n1;');
    const env = { PATH: path.replace('TOP', repository.top) };
    const before = read({ ...line, env });
    expect(before).toMatchObject({
      isCertain: true,
      absent: expect.arrayContaining([join(repository.top, file)]),
    });
    put(file, '#!/bin/sh\n. ./lib.sh\n');
    const after = read({ ...line, env });
    expect(Object.keys(after.files)).toContain(join(repository.top, file));
    expect(after.isCertain).toBe(false);
  });

  it.each([
    'unset PATH; node server.mjs',
    'builtin unset PATH; node server.mjs',
    'wait -n -p PATH; node server.mjs',
    'read PATH; node server.mjs',
    'printf -v PATH x; node server.mjs',
    'mapfile PATH; node server.mjs',
    'getopts a PATH; node server.mjs',
    'declare -n PATH=x; node server.mjs',
    'export PATH=; node server.mjs',
    'select PATH in x; do node server.mjs; done',
    'unset -f node; node server.mjs',
    'EXECIGNORE=/usr/bin/node; node server.mjs',
  ])('is not certain where a shell may look elsewhere: %s', (text) => {
    expect(read({ command: 'bash', args: ['-c', text] }).isCertain).toBe(false);
  });

  it('is certain where a shell unsets what decides nothing', () => {
    expect(read({ command: 'bash', args: ['-c', 'unset API_KEY; wait; node server.mjs'] }).isCertain).toBe(
      true,
    );
  });

  it.each(['NODE_COMPILE_CACHE', 'SHELLOPTS', 'CDPATH'])('is not certain with %s', (name) => {
    expect(read({ ...NODE, env: { [name]: 'x' } }).isCertain).toBe(false);
    expect(read({ ...NODE, env: { NODE_ENV: 'production' } }).isCertain).toBe(true);
  });
});

const PLAIN = '[core]\n\trepositoryformatversion = 0\n\tbare = false\n[remote "origin"]\n\turl = x\n';

describe('what git runs', () => {
  const git = (cwd?: string) => read({ command: 'git', args: ['status'], cwd });
  const names = (found: ReturnType<typeof read>) =>
    Object.keys(found.files).map((file) => file.slice(repository.top.length + 1));

  it('is certain by a plain config, which is held', () => {
    put('.git/config', PLAIN);
    put('.git/hooks/pre-commit.sample');
    expect(git()).toMatchObject({ isCertain: true, says: [] });
    expect(names(git())).toEqual(['.git/config']);
  });

  it('is decided by a folder that is a repository by what lies in it', () => {
    put('.git/config', PLAIN);
    for (const file of ['HEAD', 'objects/k', 'refs/k', 'a/b']) put(`fx/${file}`);
    put('fx/config', PLAIN);
    for (const cwd of ['fx', 'fx/a']) {
      expect(git(cwd).isCertain).toBe(false);
      expect(names(git(cwd))).toContain('fx/config');
      expect(git(cwd).says).toEqual([
        'what git runs is decided by fx and its hooks, which a pull may change',
      ]);
    }
  });

  it('is decided by the folder that a file .git names', () => {
    put('.git', 'gitdir: store\n');
    put('store/config', PLAIN);
    expect(git().isCertain).toBe(false);
    expect(names(git())).toEqual(expect.arrayContaining(['.git', 'store/config']));
  });

  it('is held with what its config includes, on whichever condition', () => {
    put(
      '.git/config',
      `${PLAIN}[include]\n\tpath = ../inc.cfg\n[includeIf "onbranch:x"]\n\tpath = ../other.cfg\n`,
    );
    put('inc.cfg', '[include]\n\tpath = deep.cfg\n');
    for (const file of ['deep.cfg', 'other.cfg']) put(file, '[user]\n\tname = x\n');
    expect(git().isCertain).toBe(true);
    expect(names(git())).toEqual(expect.arrayContaining(['inc.cfg', 'deep.cfg', 'other.cfg']));
    put('deep.cfg', '[core]\n\tfsmonitor = ./ev.sh\n');
    expect(git().says).toEqual(['what git runs may be decided by deep.cfg, not all of which is known here']);
  });

  it.each([
    '[core]\n\thooksPath = hooks\n',
    '[core] fsmonitor = ./ev.sh\n',
    '[diff "x"]\n\ttextconv = ./ev.sh\n',
    '[include]\n\tpath = "../a b.cfg"\n',
    '[extensions]\n\tworktreeConfig = true\n',
  ])('is not certain by a config with %j', (text) => {
    put('.git/config', PLAIN + text);
    expect(git().isCertain).toBe(false);
  });

  it('is not certain by more included files than are looked at', () => {
    const names = Array.from({ length: 150 }, (_, at) => `${at}.cfg`);
    const includes = names.map((name) => `[include]\n\tpath = ../${name}\n`).join('');
    for (const name of names) put(name, '[user]\n\tname = x\n');
    put('.git/config', PLAIN + includes);
    expect(git().says).toEqual(['what git runs may be decided by more config than is looked at']);
  });

  it('is not certain with a hook', () => {
    put('.git/config', PLAIN);
    put('.git/hooks/post-index-change', '#!/bin/sh\n. ./lib.sh\n');
    expect(git().isCertain).toBe(false);
    expect(names(git())).toContain('.git/hooks/post-index-change');
  });
});
