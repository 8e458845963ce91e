import { join } from 'node:path';
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

const UNFINISHED = 'nexus/unfinished';

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
  const shortId = id.replace(/-/g, '').slice(0, 8);
  const name = `${slugOf(title)}-${shortId}`;
  const path = join(worktreesIn(dataDir), shortId);
  return {
    repository,
    folder,
    base,
    path,
    top: join(path, visible),
    branch: `${UNFINISHED}/${name}`,
    doneBranch: `nexus/${name}`,
  };
}

/** In the data directory. */
export const WORKTREES = 'workflows/worktrees';

export function worktreesIn(dataDir: string): string {
  return join(dataDir, WORKTREES);
}

const MAX_SLUG_CHARS = 40;

function slugOf(title: string): string {
  const words = title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_SLUG_CHARS)
    .replace(/^-+|(?<!-)-+$/g, '');
  return words === '' ? 'work' : words;
}
