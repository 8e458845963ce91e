import { readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';

/** Of a linked worktree of git, the main one of its repository; undefined for any other folder. (gitrepository-layout) */
export function mainTreeOf(projectRoot: string): string | undefined {
  const file = join(projectRoot, '.git');
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return undefined;
  const [, gitDir] = /^gitdir: (.+)$/m.exec(readFileSync(file, 'utf8')) ?? [];
  if (gitDir === undefined) return undefined;
  const worktrees = dirname(resolve(projectRoot, gitDir));
  return worktrees.endsWith(`${sep}.git${sep}worktrees`) ? dirname(dirname(worktrees)) : undefined;
}
