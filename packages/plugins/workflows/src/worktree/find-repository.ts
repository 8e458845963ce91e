import { realpath } from 'node:fs/promises';
import { relative, resolve, sep } from 'node:path';
import { type Root, ToolError } from '@nexus/plugin-sdk';
import { GitFailure, git } from './git.ts';
import { isInside } from './is-inside.ts';
import type { Place } from './place.ts';

export type Repository = Pick<Place, 'repository' | 'folder' | 'base'> & {
  /** Whether the user has changes there that no commit holds. */
  readonly isDirty: boolean;
};

/**
 * The git repository that a folder lies in, as its last commit has it.
 * @param typed relative to the first root, or absolute
 * @throws {ToolError} NEXUS_OUTSIDE_ROOTS, NEXUS_NOT_FOUND; NEXUS_UNAVAILABLE where there is no repository or no commit
 */
export async function findRepository(
  typed: string,
  roots: readonly Root[],
  signal: AbortSignal,
): Promise<Repository> {
  const folder = await realpath(resolve(roots[0]?.path ?? '', typed)).catch(() => {
    throw new ToolError(
      'NEXUS_NOT_FOUND',
      `There is no folder ${typed}. Name one that is there as workingDir.`,
    );
  });
  if (!roots.some(({ path }) => isInside(path, folder))) {
    const allowed = roots.map(({ path }) => path).join(', ');
    const text = `${typed} lies outside the roots (${allowed}). Name a folder inside, or add it as a root in the host.`;
    throw new ToolError('NEXUS_OUTSIDE_ROOTS', text);
  }
  const top = await git(folder, ['rev-parse', '--show-toplevel'], { signal }).catch((error: unknown) => {
    if (!(error instanceof GitFailure)) throw error;
    const text = `${folder} is in no git repository, and the work is done on a branch of one. Run \`git init\` and commit, or name another workingDir.`;
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
  return {
    repository,
    folder: relative(repository, folder).split(sep).join('/'),
    base: base.trim(),
    isDirty: status !== '',
  };
}
