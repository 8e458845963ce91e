import { join } from 'node:path';
import { branchNames } from './branch-names.ts';
import type { Repository } from './find-repository.ts';

/** Where a run works: a git worktree of its own under the data directory, on a branch of its own. Plain JSON. */
export interface Place {
  /** The repository's top folder, as a real path; the user's own tree. */
  readonly repository: string;
  /** Below the top, where commands run; `''` for the top. */
  readonly folder: string;
  /** The worktree's top folder. */
  readonly path: string;
  /** The folder of it that models see: the top, or as much of it as lies inside the caller's roots. */
  readonly top: string;
  /** While the work is not done; it is called otherwise when it is. */
  readonly branch: string;
  readonly doneBranch: string;
  /** The commit that it began at. */
  readonly base: string;
}

/** @param id of the work, for people too */
export function placeOf({
  id,
  title,
  dataDir,
  repository: { repository, folder, visible, base },
}: {
  readonly id: string;
  readonly title: string;
  readonly dataDir: string;
  readonly repository: Repository;
}): Place {
  const { shortId, branch, doneBranch } = branchNames(title, id);
  const path = join(worktreesIn(dataDir), shortId);
  return {
    repository,
    folder,
    base,
    path,
    top: join(path, visible),
    branch,
    doneBranch,
  };
}

/** In the data directory. */
export const WORKTREES = 'workflows/worktrees';

export function worktreesIn(dataDir: string): string {
  return join(dataDir, WORKTREES);
}
