import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, it } from 'vitest';
import { repositoryFolder } from '../../test/repository-folder.ts';
import type { CommandLine } from './line-files.ts';
import { programFiles } from './program-files.ts';

const repository = repositoryFolder();
const { put } = repository;

const found = (line: CommandLine, folder = repository.top) =>
  Object.keys(programFiles(line, { folder, top: repository.top }).files).map((file) =>
    relative(repository.top, file),
  );

it('names the script of a command, and what it imports by relative paths', () => {
  put('scripts/server.mjs', `import './part.js';\nimport 'zod';\nconst x = await import('../lib/x.ts');`);
  put('scripts/part.ts');
  put('lib/x.ts');
  put('other.mjs');
  expect(found({ command: 'node', args: ['--no-warnings', './scripts/server.mjs', 'other'] })).toEqual([
    'lib/x.ts',
    'scripts/part.ts',
    'scripts/server.mjs',
  ]);
});

it('finds files in options, in shell lines, beside the config and where the command starts', () => {
  put('hook.mjs');
  put('packages/api/run.sh');
  put('packages/api/bin/tool');
  put('main.py');
  const folder = join(repository.top, 'packages', 'api');
  expect(found({ command: './bin/tool', args: ['--import=../../hook.mjs'] }, folder)).toEqual([
    'hook.mjs',
    'packages/api/bin/tool',
  ]);
  expect(found({ command: 'sh', args: ['-c', 'sleep 1; exec ./run.sh --fast'] }, folder)).toEqual([
    'packages/api/run.sh',
  ]);
  expect(found({ command: 'python3', args: ['main.py'], cwd: '../..' }, folder)).toEqual(['main.py']);
});

it('leaves out folders, data, and what is not of the repository, but not links that it could turn', () => {
  mkdirSync(join(repository.top, 'data'), { recursive: true });
  put('notes.db');
  const outside = join(repository.base, 'outside.mjs');
  writeFileSync(outside, '');
  symlinkSync(outside, join(repository.top, 'link.mjs'));
  expect(found({ command: process.execPath, args: ['data', 'notes.db', outside, 'not-there.mjs'] })).toEqual(
    [],
  );
  expect(found({ command: 'node', args: ['link.mjs'] })).toContain('link.mjs');
});

it('tells one content from another', () => {
  const file = put('server.mjs', 'one');
  const before = programFiles(
    { command: 'node', args: ['server.mjs'] },
    { folder: repository.top, top: repository.top },
  ).files;
  writeFileSync(file, 'two');
  const after = programFiles(
    { command: 'node', args: ['server.mjs'] },
    { folder: repository.top, top: repository.top },
  ).files;
  expect(after[file]).not.toBe(before[file]);
});
