import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
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

it('takes a link in the place of what it made, and nothing that is behind it', async () => {
  const behind = made('nexus.jsonl', 'b/nexus.jsonl');
  const folder = made('logs/mine');
  for (const link of ['traces', 'logs/nexus.jsonl', 'mine']) symlinkSync(behind, join(folder, link));
  const of = { folder, names: ['traces/nexus\\.jsonl', 'logs/nexus\\.jsonl', 'b/'], spared: [] };
  const links = [join(folder, 'logs', 'nexus.jsonl'), join(folder, 'traces')];
  expect(ownFiles(of)).toMatchObject({ own: links, links, others: 2 });
  expect(ownFiles({ ...of, kept: ['traces'] })).toMatchObject({
    own: links.slice(0, 1),
    links: links.slice(0, 1),
  });
  await takeOwn(of);
  expect(readdirSync(folder)).toEqual(['logs', 'mine']);
  expect(readdirSync(join(folder, 'logs'))).toEqual(['mine']);
  expect(readdirSync(behind, { recursive: true }).sort()).toEqual(['b', 'b/nexus.jsonl', 'nexus.jsonl']);
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
