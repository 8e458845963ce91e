import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { git } from './git.ts';
import { ownTree } from './own-tree.ts';

const signal = new AbortController().signal;
let top: string;

beforeEach(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), 'nexus-own-tree-')));
  mkdirSync(join(top, 'inner/deep'), { recursive: true });
  execFileSync('git', ['init', '-q'], { cwd: top });
});
afterEach(() => rmSync(top, { recursive: true, force: true }));

const treeOf = (folder: string, own = top) => ownTree(folder, { own, signal, advice: 'Name another.' });

it('is the repository that a folder and the project lie in', async () => {
  expect(await treeOf(join(top, 'inner/deep'))).toBe(top);
  expect((await git({ treeTop: top }, ['rev-parse', '--show-toplevel'], { signal })).trim()).toBe(top);
});

it('is none that came inside of the project, and none where there is none', async () => {
  execFileSync('git', ['init', '-q'], { cwd: join(top, 'inner') });
  await expect(treeOf(join(top, 'inner/deep'))).rejects.toThrow(/lies inside of the project.*Name another\./);
  rmSync(join(top, '.git'), { recursive: true });
  rmSync(join(top, 'inner/.git'), { recursive: true });
  await expect(treeOf(join(top, 'inner'))).rejects.toThrow('there is no .git in it or above it');
});

it('is none that names another folder as its own', async () => {
  execFileSync('git', ['config', 'core.worktree', join(top, 'inner')], { cwd: top });
  await expect(treeOf(join(top, 'inner'))).rejects.toThrow(/in the place of|can be worked on/);
});
