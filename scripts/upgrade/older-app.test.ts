import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, it } from 'vitest';
import { copyAt } from './older-app.ts';

it('copies a commit as a repository that knows each of its files, also where a copy was begun before', async () => {
  const base = await mkdtemp(join(tmpdir(), 'nexus-copy-at-'));
  try {
    const [root, copy] = [join(base, 'root'), join(base, 'copy')];
    const git = async (cwd: string, ...args: string[]) =>
      (await execa('git', ['-c', 'user.name=User', '-c', 'user.email=user@localhost', ...args], { cwd }))
        .stdout;
    await execa('git', ['init', '--quiet', root]);
    const words = async (said: string) => {
      await writeFile(join(root, 'a.txt'), said);
      await git(root, 'add', '--all');
      await git(root, 'commit', '--quiet', '--message', said);
      return git(root, 'rev-parse', 'HEAD');
    };
    const older = await words('older');
    await words('newer');
    for (let times = 0; times < 2; times += 1) await copyAt(root, older, copy);
    expect(await readFile(join(copy, 'a.txt'), 'utf8')).toBe('older');
    expect(await git(copy, 'ls-tree', '--name-only', 'HEAD')).toBe('a.txt');
    expect(await git(copy, 'status', '--porcelain')).toBe('');
  } finally {
    await rm(base, { recursive: true, force: true });
  }
});
