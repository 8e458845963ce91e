import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ToolError } from '@nexus/plugin-sdk';
import { GitFailure, git } from './git.ts';

export interface OwnTree {
  /** What somebody vouched for by working in it: the project, or a root. */
  readonly own: string;
  readonly signal: AbortSignal;
  /** What is to be done without a repository, as a sentence. */
  readonly advice: string;
}

/**
 * The top of the repository that a folder and what the user vouched for both lie in, as git says too; never one that
 * lies inside of it, which may have come with a clone.
 * @throws {ToolError} NEXUS_UNAVAILABLE where there is none
 */
export async function ownTree(folder: string, { own, signal, advice }: OwnTree): Promise<string> {
  const refused = (why: string, cause?: unknown) => {
    const text = `${folder} is in no git repository that can be worked on (${why}). ${advice}`;
    return new ToolError('NEXUS_UNAVAILABLE', text, { cause });
  };
  const treeTop = treeTopOf(folder);
  if (treeTop === undefined) throw refused('there is no .git in it or above it');
  if (treeTop !== treeTopOf(own)) throw refused(`${treeTop} lies inside of the project and is not its own`);
  const top = await git({ treeTop, cwd: folder }, ['rev-parse', '--show-toplevel'], { signal }).catch(
    (error: unknown) => {
      if (error instanceof GitFailure) throw refused(error.message, error);
      throw error;
    },
  );
  if ((await realpath(top.replace(/\n$/, ''))) === treeTop) return treeTop;
  throw refused(`its core.worktree or a repository in it names ${top.trim()} in the place of ${treeTop}`);
}

/** The nearest folder upward that holds `.git`. */
function treeTopOf(folder: string): string | undefined {
  if (existsSync(join(folder, '.git'))) return folder;
  return dirname(folder) === folder ? undefined : treeTopOf(dirname(folder));
}
