import { existsSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { FILE_NAMES } from '../config/find.ts';
import { findRepository } from '../project/repository.ts';

/** A folder that a project of a repository is found from. */
export interface ProjectFolder {
  /** The working tree that it lies in. */
  readonly treeTop: string;
  readonly folder: string;
}

/**
 * The folders whose projects may have reserved one of the files: each at or above a file that has a config of its
 * own, and the top. A linked worktree that its repository knows is asked, and so is the main working tree, where the
 * agents of the repository reserve; either may have a config that the other lacks.
 * @param names of files, as git has them: from the top, with `/`
 */
export function projectFolders(treeTop: string, names: readonly string[]): ProjectFolder[] {
  const above = foldersAbove(names);
  return treesOf(treeTop).flatMap((top) =>
    above
      .filter((name) => name === TOP || hasConfig(join(top, name)))
      .map((name) => ({ treeTop: top, folder: join(top, name) })),
  );
}

const TOP = '.';

/** The tree itself, and the main one of its repository. */
export function treesOf(treeTop: string): readonly string[] {
  const main = mainTree(treeTop);
  return [treeTop, ...(main === undefined ? [] : [main])];
}

/** Of files, as git names them: each folder that one lies in or below, the top among them. */
export function foldersAbove(names: readonly string[]): string[] {
  const folders = new Set([TOP]);
  for (const name of names) {
    let folder = posix.dirname(name);
    // What lies above a folder that is known is known too.
    for (; !folders.has(folder); folder = posix.dirname(folder)) folders.add(folder);
  }
  return [...folders];
}

/** Whether a session that starts in the folder may find a config there. */
export function hasConfig(folder: string): boolean {
  return FILE_NAMES.some((name) => existsSync(join(folder, name)));
}

/** Of a linked worktree, the main one; undefined in that one itself, and where the repository has none. */
function mainTree(treeTop: string): string | undefined {
  const repository = findRepository(treeTop);
  if (!repository || repository.place !== repository.gitDir) return undefined;
  const top = dirname(repository.gitDir);
  return top !== treeTop && existsSync(top) ? top : undefined;
}
