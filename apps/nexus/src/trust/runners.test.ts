import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repositoryFolder } from '../../test/repository-folder.ts';
import { contentHash } from './content-hash.ts';
import { trustQuestion } from './trust-question.ts';

const repository = repositoryFolder();
const { put, parts, server } = repository;

const linesOf = (command: string, args: readonly string[]) => server({ command, args })?.lines.join('\n');

/** Whether a server waits again after a change, and is not started meanwhile as it was trusted. */
function waitsAfter(settings: Record<string, unknown>, change: () => void): boolean {
  const before = server(settings);
  change();
  const files = Object.entries(before?.files ?? {});
  const isChanged = files.some(([file, hash]) =>
    hash === '' ? existsSync(file) : contentHash(file) !== hash,
  );
  expect(before?.hash !== server(settings)?.hash).toBe(isChanged);
  return isChanged;
}

describe('a file by which a command is told variables', () => {
  const said = (form: readonly string[], command = 'node') => ({ command, args: [...form, 'server.mjs'] });

  it.each([
    [said(['--env-file=run.env'])],
    [said(['--env-file', 'run.env'])],
    [said(['--env-file-if-exists=run.env'])],
    [{ command: 'sh', args: ['-c', 'node --env-file=./run.env server.mjs'] }],
    [{ command: 'env', args: ['A=b', 'node', '--env-file=run.env', 'server.mjs'] }],
    [{ command: './tool' }],
  ])('is held, is shown where it makes something run, and what it names is followed: %j', (settings) => {
    put('server.mjs');
    put('tool', '#!/usr/bin/env -S node --env-file=run.env\n1;');
    put('other.js', "require('./deeper.js')");
    put('deeper.js', '1');
    put('run.env', '# mine\nAPI_KEY=hidden\nexport NODE_OPTIONS="--require ./other.js"\n');
    const text = server(settings)?.lines.join('\n');
    expect(text).toContain('with env NODE_OPTIONS="--require ./other.js", by run.env');
    expect(text).not.toContain('hidden');
    expect(waitsAfter(settings, () => put('deeper.js', '2'))).toBe(true);
    expect(waitsAfter(settings, () => put('other.js', '2'))).toBe(true);
    expect(waitsAfter(settings, () => put('run.env', 'NODE_OPTIONS=--require=./third'))).toBe(true);
    put('third.js');
    expect(waitsAfter(settings, () => put('third.js', '2'))).toBe(true);
  });

  it('is held whatever its name says, and waited for where it is not there', () => {
    put('server.mjs');
    for (const name of ['vars.txt', 'vars.log', '.env'])
      expect(waitsAfter(said([`--env-file-if-exists=${name}`]), () => put(name, 'PATH=./bin'))).toBe(true);
    expect(waitsAfter(said(['--env-file=vars.txt']), () => put('vars.txt', 'A=b'))).toBe(true);
  });

  it('shows what is odd in it as an escape', () => {
    put('server.mjs');
    put('run.env', "NODE_OPTIONS='\u202e--import ./a\u009b.mjs'");
    expect(linesOf('node', ['--env-file=run.env', 'server.mjs'])).toContain(
      'with env NODE_OPTIONS="\\u202e--import ./a\\u009b.mjs"',
    );
  });

  it('says nothing of one that makes nothing run', () => {
    put('server.mjs');
    put('run.env', 'PORT=1');
    const text = linesOf('node', ['--env-file=run.env', 'server.mjs']);
    expect(text).toContain('from run.env, as it is now');
    expect(text).not.toMatch(/with env|whatever else/);
  });

  it('is said to hide more where it can’t be read', () => {
    put('server.mjs');
    put('run.env', `A=${'b'.repeat(1024 * 1024)}`);
    expect(linesOf('node', ['--env-file=run.env', 'server.mjs'])).toContain('whatever else');
  });
});

it.each([
  [{ command: 'node', args: ['--require', 'dep', 'server.mjs'] }],
  [{ command: 'node', args: ['--import=dep', 'server.mjs'] }],
  [{ command: 'node', args: ['server.mjs'], env: { NODE_OPTIONS: '-r dep' } }],
  [{ command: 'node', args: ['--env-file=run.env', 'server.mjs'] }],
])('binds a package that is loaded before a script to where and what it is: %j', (settings) => {
  put('server.mjs');
  put('run.env', 'NODE_OPTIONS=--import=dep');
  expect(waitsAfter(settings, () => put('node_modules/dep/index.js'))).toBe(true);
  expect(waitsAfter(settings, () => put('node_modules/dep/index.js', '2'))).toBe(true);
  expect(server(settings)?.lines.join('\n')).toContain('imports dep from node_modules/dep');
});

describe('a command that runs what files of the project say', () => {
  it.each([
    ['npm', ['run', 'dev'], 'package.json'],
    ['npm', ['test'], 'package.json'],
    ['pnpm', ['dev'], 'package.json'],
    ['pnpm', ['create', 'app'], 'package.json'],
    ['yarn', ['dev'], '.yarnrc.yml'],
    ['bun', ['run', 'dev'], 'package.json'],
    ['deno', ['task', 'dev'], 'deno.json'],
    ['make', ['serve'], 'Makefile'],
    ['just', ['serve'], 'justfile'],
    ['task', ['serve'], 'Taskfile.yml'],
    ['go', ['run', '.'], 'go.mod'],
    ['uv', ['run', 'x'], 'pyproject.toml'],
    ['uvx', ['--from', '.', 'x'], 'pyproject.toml'],
    ['poetry', ['run', 'x'], 'pyproject.toml'],
    ['rake', [], 'Rakefile'],
    ['mvn', ['exec:java'], 'pom.xml'],
    ['./gradlew', ['run'], 'build.gradle'],
    ['dotnet', ['run'], 'global.json'],
    ['nix', ['run'], 'flake.nix'],
    ['mise', ['run', 'x'], 'mise.toml'],
    ['direnv', ['exec', '.', 'x'], '.envrc'],
    ['node', ['--run', 'build'], 'package.json'],
    ['node', ['--run=build'], 'package.json'],
    ['/usr/bin/go', ['run', '.'], 'go.mod'],
    ['env', ['A=b', 'sh', '-c', 'true && make serve'], 'Makefile'],
  ])('says which decide, holds them and says that there is more: %s %j', (command, args, file) => {
    put(file, '1');
    const text = linesOf(command, args);
    expect(text).toMatch(new RegExp(`runs what .*${file.replace('.', '\\.')}.* of its folder say`));
    expect(text).toContain(`from ${file}, as it is now`);
    expect(text).toContain('Nexus does not notice a change');
    expect(waitsAfter({ command, args }, () => put(file, '2'))).toBe(true);
  });

  it('starts no script of the name that package.json has', () => {
    put('build.js');
    put('package.json', '{}');
    const text = linesOf('node', ['--run', 'build']);
    expect(text).not.toContain('build.js');
    expect(text).toContain('from package.json, as it is now');
  });

  it.each([
    { command: 'go', args: ['run', '.'] },
    { command: 'npx', args: ['tool'] },
  ])('is held to those of the folders above it as well, up to the repository: %j', ({ command, args }) => {
    const file = command === 'go' ? 'go.mod' : '.npmrc';
    put('deep/er/x');
    put(file, '1');
    expect(waitsAfter({ command, args, cwd: 'deep/er' }, () => put(file, '2'))).toBe(true);
  });

  it.each([
    ['some-tool', ['x'], 'some-tool'],
    ['env', ['A=b', 'some-tool'], 'some-tool'],
    ['sh', ['-c', 'true && some-tool > out'], 'some-tool'],
    ['/opt/some-tool', [], 'some-tool'],
    ['npx', ['eslint', '.'], 'eslint'],
  ])('is said to run what is not held where nobody knows it: %s %j', (command, args, name) => {
    const text = linesOf(command, args);
    expect(text).toContain(`files and arguments that Nexus does not watch may decide what ${name} runs`);
    expect(text).toContain('whatever else');
    expect(text?.match(/may decide what/g)).toHaveLength(1);
  });

  it.each([
    ['--prefix', './sub'],
    ['--userconfig', 'rc'],
    ['--call', 'rc'],
    ['-w', 'sub'],
  ])('takes the value of an option for no package: %s', (option, value) => {
    const text = linesOf('npx', [option, value, 'tool']);
    expect(text).toContain('npx runs tool from node_modules');
    expect(text).toContain('whatever else');
  });

  it.each([
    ['npx', ['-y', '@scope/tool@1.2.3', '--root', '.']],
    ['npx', ['--package=@scope/tool', 'other']],
    ['npx', ['-p', '@scope/tool', 'other']],
    ['npm', ['exec', '--', '@scope/tool']],
    ['pnpm', ['exec', '@scope/tool']],
    ['pnpm', ['dlx', '@scope/tool']],
    ['pnpx', ['@scope/tool']],
    ['yarn', ['dlx', '@scope/tool']],
    ['bunx', ['--bun', '@scope/tool']],
    ['sh', ['-c', 'exec npx @scope/tool']],
  ])('says that a package may be the project’s own, and waits once that is so: %s %j', (command, args) => {
    const text = linesOf(command, args);
    expect(text).toMatch(
      /runs @scope\/tool.* from node_modules if it is there, and else what the registry has/,
    );
    expect(text).toContain('Nexus does not notice a change');
    const settings = { command, args };
    const manifest = JSON.stringify({ name: '@scope/tool', bin: { tool: './cli.js' } });
    expect(waitsAfter(settings, () => put('node_modules/@scope/tool/package.json', manifest))).toBe(true);
    put('node_modules/@scope/tool/near.js', '1');
    expect(waitsAfter(settings, () => put('node_modules/@scope/tool/cli.js', "import './near.js'"))).toBe(
      true,
    );
    expect(waitsAfter(settings, () => put('node_modules/@scope/tool/near.js', '2'))).toBe(true);
    expect(waitsAfter(settings, () => put('node_modules/.bin/tool', '#!/bin/sh'))).toBe(true);
  });

  it('holds which registry a package comes from', () => {
    for (const [command, args, file] of [
      ['npx', ['-y', 'tool'], '.npmrc'],
      ['pnpm', ['dlx', 'tool'], '.npmrc'],
      ['yarn', ['dlx', 'tool'], '.yarnrc.yml'],
      ['bunx', ['tool'], 'bunfig.toml'],
    ] as const) {
      rmSync(join(repository.top, file), { force: true });
      expect(waitsAfter({ command, args }, () => put(file, 'registry=http://localhost'))).toBe(true);
      expect(waitsAfter({ command, args }, () => put(file, 'registry=http://127.0.0.1'))).toBe(true);
    }
  });

  it('reads on in what such a command is given to run', () => {
    put('server.mjs', '1');
    const settings = { command: 'pnpm', args: ['exec', 'node', 'server.mjs'] };
    expect(waitsAfter(settings, () => put('server.mjs', '2'))).toBe(true);
  });

  it.each(['github:owner/tool', './tool', 'http://localhost/tool.tgz'])(
    'says that more may run of a package by another name: %s',
    (name) => {
      expect(linesOf('npx', [name])).toContain('whatever else');
    },
  );
});

describe('commands of pipelines and checks of reviews', () => {
  const commands: Readonly<Record<string, readonly string[]>> = {
    test: ['pnpm', 'test'],
    lint: ['npx', 'biome', 'check'],
    build: ['make'],
    own: ['node', 'run.mjs'],
    cargo: ['rustc'],
  };
  const checks = Object.entries(commands).map(([name, command]) => ({ name, command }));

  it.each([
    ['workflows.commands', { workflows: { commands } }],
    ['consensus.checks', { consensus: { checks } }],
  ])('are said to be held to their words, with what decides beside them: %s', (name, config) => {
    for (const file of ['package.json', 'Makefile', 'run.mjs']) put(file, '1');
    const waiting = parts(config).map((part) => ({ ...part, place: repository.top }));
    expect(waiting.map((part) => part.name)).toEqual([name]);
    const text = waiting[0]?.lines.join('\n') ?? '';
    expect(text).toContain('  pnpm runs what package.json, .npmrc');
    expect(text).toContain('  npx runs biome from node_modules if it is there');
    expect(text).toContain('  make runs what Makefile');
    expect(text).toContain(
      '  only these words are held: a change of the files that they run, such as package.json, Makefile, run.mjs, is not asked about',
    );
    expect(trustQuestion(repository.top, waiting).message).toContain(text);
    put('run.mjs', '2');
    expect(parts(config)[0]?.hash).toBe(waiting[0]?.hash);
  });

  it('are said so where no file is seen', () => {
    const lines = parts({ workflows: { commands: { build: ['rustc'] } } })[0]?.lines;
    expect(lines).toContain(
      '  only these words are held: a change of the files that they run is not asked about',
    );
  });
});
