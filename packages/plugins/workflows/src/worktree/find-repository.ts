import { relative, sep } from 'node:path';
import { GitFailure, git, ownTree } from '@nexus/git';
import { ToolError } from '@nexus/plugin-sdk';
import { isInside } from '@nexus/primitives';
import { located, type Scope } from './located.ts';
import type { Place } from './place.ts';

/** A repository that work can begin from; plain JSON. */
export interface Repository extends Pick<Place, 'repository' | 'folder' | 'base'> {
  /** Below the top, what models may see: `''` where the whole repository lies inside the roots. */
  readonly visible: string;
  /** Whether the user has changes there that no commit holds. */
  readonly isDirty: boolean;
}

/**
 * The git repository that a folder lies in, as its last commit has it: the project's own, or of a root outside of the
 * project that root's own, never one that lies inside of it.
 * @param typed relative to the first root, or absolute
 * @throws {ToolError} NEXUS_OUTSIDE_ROOTS, NEXUS_NOT_FOUND; NEXUS_UNAVAILABLE where there is no repository or no commit
 */
export async function findRepository(
  typed: string,
  { projectRoot, ...scope }: Scope & { readonly projectRoot: string },
  signal: AbortSignal,
): Promise<Repository> {
  const folder = await located(typed, scope);
  const own = [projectRoot, ...scope.roots.map(({ path }) => path)].find((path) =>
    isInside({ path: folder, folder: path }),
  );
  const repository = await ownTree(folder, { own: own ?? folder, signal, advice: ADVICE });
  const tree = { treeTop: repository };
  const base = await git(tree, ['rev-parse', '--verify', 'HEAD^{commit}'], { signal }).catch(
    (error: unknown) => {
      if (!(error instanceof GitFailure)) throw error;
      const text = `The repository ${repository} has no commit yet, so there is nothing to branch from. Commit first.`;
      throw new ToolError('NEXUS_UNAVAILABLE', text, { cause: error });
    },
  );
  const args = ['status', '--porcelain', '--untracked-files=normal', '--ignore-submodules=all', '--'];
  const status = await git(tree, args, { signal });
  const below = relative(repository, folder).split(sep).join('/');
  return {
    repository,
    folder: below,
    visible: scope.roots.some(({ path }) => isInside({ path: repository, folder: path })) ? '' : below,
    base: base.trim(),
    isDirty: status !== '',
  };
}

const ADVICE = 'The work is done on a branch of one: run `git init` and commit, or name another workingDir.';
