import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { keeps, ownFiles, takeOwn } from './own-files.ts';

function made(...paths: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'nexus-own-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const path of paths) {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), '');
  }
  return folder;
}

it('takes no repository, by whatever name; a worktree is none', async () => {
  const folder = made('w/1/.git/config', 'w/2/.git');
  const of = { folder, names: ['w/\\d/'], spared: [] };
  expect(ownFiles(of)).toMatchObject({ own: [join(folder, 'w', '2')], others: 1 });
  await takeOwn(of);
  expect(existsSync(join(folder, 'w', '1', '.git', 'config'))).toBe(true);
  expect(existsSync(join(folder, 'w', '2'))).toBe(false);
});

it('takes no folder that one of the spared places is in', () => {
  const folder = made('w/1/project/a.ts');
  const spared = [join(folder, 'w', '1', 'project')];
  expect(ownFiles({ folder, names: ['w/\\d/'], spared }).own).toEqual([]);
});

it('takes nothing that is kept', () => {
  const folder = made('a', 'b', 'w/1/x', 'w/2/x');
  const of = { folder, names: ['[ab]', 'w/\\d/'], spared: [], kept: ['a', 'w/1/x'] };
  expect(ownFiles(of)).toMatchObject({ own: [join(folder, 'b'), join(folder, 'w', '2')], others: 2 });
});

it.each([
  ['a/b', true],
  ['a', true],
  ['a/b/c', true],
  ['a/bc', false],
  ['ab', false],
])('keeps what holds a kept path or lies in it: %s', (path, isKept) => {
  expect(keeps(['a/b'])(path)).toBe(isKept);
});
