import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { CommandLine } from './line-files.ts';
import { programFiles } from './program-files.ts';

let base: string;
let top: string;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'nexus-files-')));
  top = join(base, 'repository');
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

function put(path: string, text = ''): string {
  const file = join(top, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

const found = (line: CommandLine, folder = top) =>
  Object.keys(programFiles(line, { folder, top }).files).map((file) => relative(top, file));

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
  const folder = join(top, 'packages', 'api');
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
  mkdirSync(join(top, 'data'), { recursive: true });
  put('notes.db');
  const outside = join(base, 'outside.mjs');
  writeFileSync(outside, '');
  symlinkSync(outside, join(top, 'link.mjs'));
  expect(found({ command: process.execPath, args: ['data', 'notes.db', outside, 'not-there.mjs'] })).toEqual(
    [],
  );
  expect(found({ command: 'node', args: ['link.mjs'] })).toContain('link.mjs');
});

it('tells one content from another', () => {
  const file = put('server.mjs', 'one');
  const before = programFiles({ command: 'node', args: ['server.mjs'] }, { folder: top, top }).files;
  writeFileSync(file, 'two');
  const after = programFiles({ command: 'node', args: ['server.mjs'] }, { folder: top, top }).files;
  expect(after[file]).not.toBe(before[file]);
});
