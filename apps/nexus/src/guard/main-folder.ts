import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isInside } from '@nexus/primitives';
import { findRepository } from '../project/repository.ts';

/** The main working tree of a repository, and what of it a folder of another one is. */
export interface MainFolder {
  readonly top: string;
  readonly folder: string;
}

/**
 * For a folder of a linked worktree that its repository knows, the same folder of the repository's main working tree:
 * there its agents reserve files. Undefined in that tree itself, and where the repository has none.
 */
export function mainFolder(folder: string): MainFolder | undefined {
  const repository = findRepository(realpathSync(folder));
  if (!repository || repository.place !== repository.gitDir) return undefined;
  const top = dirname(repository.gitDir);
  if (top === repository.top || !existsSync(top)) return undefined;
  const same = join(top, repository.folder);
  return { top, folder: existsSync(same) ? same : top };
}

/** The tree that a project lies in: of one in another, the inner one. */
export function treeOf(projectRoot: string, trees: readonly string[]): string {
  const around = trees.filter((tree) => isInside({ path: projectRoot, folder: tree }));
  return around.sort((one, other) => other.length - one.length)[0] ?? trees[0] ?? projectRoot;
}
