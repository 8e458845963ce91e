import { realpath } from 'node:fs/promises';
import { relative, sep } from 'node:path';
import { ToolError } from '@nexus/plugin-sdk';
import { GitFailure, git } from './git.ts';
import { isInside } from './is-inside.ts';
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
 * The git repository that a folder lies in, as its last commit has it.
 * @param typed relative to the first root, or absolute
 * @throws {ToolError} NEXUS_OUTSIDE_ROOTS, NEXUS_NOT_FOUND; NEXUS_UNAVAILABLE where there is no repository or no commit
 */
export async function findRepository(typed: string, scope: Scope, signal: AbortSignal): Promise<Repository> {
  const folder = await located(typed, scope);
  const top = await git(folder, ['rev-parse', '--show-toplevel'], { signal }).catch((error: unknown) => {
    if (!(error instanceof GitFailure)) throw error;
    const text = `${folder} is in no git repository that can be read (${error.message}), and the work is done on a branch of one. Run \`git init\` and commit, or name another workingDir.`;
    throw new ToolError('NEXUS_UNAVAILABLE', text, { cause: error });
  });
  const repository = await realpath(top.replace(/\n$/, ''));
  const base = await git(repository, ['rev-parse', '--verify', 'HEAD^{commit}'], { signal }).catch(
    (error: unknown) => {
      if (!(error instanceof GitFailure)) throw error;
      const text = `The repository ${repository} has no commit yet, so there is nothing to branch from. Commit first.`;
      throw new ToolError('NEXUS_UNAVAILABLE', text, { cause: error });
    },
  );
  const status = await git(repository, ['status', '--porcelain', '--untracked-files=normal'], { signal });
  const below = relative(repository, folder).split(sep).join('/');
  return {
    repository,
    folder: below,
    visible: scope.roots.some(({ path }) => isInside(path, repository)) ? '' : below,
    base: base.trim(),
    isDirty: status !== '',
  };
}
