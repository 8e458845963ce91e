import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { git } from '@nexus/git';
import { tidy } from '../worktree/commits.ts';
import type { Place } from '../worktree/place.ts';
import { isTestFile } from './test-files.ts';

/** What of a change is tests, and what is not: paths from the top of the repository. */
export interface ChangeParts {
  readonly tests: readonly string[];
  readonly others: readonly string[];
}

/** Of all that is committed on the branch of a place. */
export async function partsOfChange(place: Place, signal: AbortSignal): Promise<ChangeParts> {
  const args = ['diff', '--no-renames', '--name-only', '-z', place.base, 'HEAD', '--'];
  const listed = await git({ treeTop: place.path }, args, { signal });
  const paths = listed.split('\0').filter((path) => path !== '');
  return { tests: paths.filter(isTestFile), others: paths.filter((path) => !isTestFile(path)) };
}

/** As many as a command line surely takes. */
const PATHS_AT_ONCE = 200;

/**
 * Does work while the worktree holds these paths as the change has them, and all else as a commit has it. What is committed
 * stands there again afterwards; where the process dies in between, whoever comes next begins with that.
 */
export async function withPathsAlone<Result>(
  place: Place,
  paths: readonly string[],
  {
    at: commit,
    signal,
    work,
  }: { readonly at: string; readonly signal: AbortSignal; readonly work: () => Promise<Result> },
): Promise<Result> {
  const tree = { treeTop: place.path };
  await tidy(place, signal);
  try {
    await git(tree, ['read-tree', '--reset', '-u', commit], { signal });
    const listed = await git(tree, ['ls-tree', '-r', '--name-only', '-z', 'HEAD'], { signal });
    const there = new Set(listed.split('\0'));
    const kept = paths.filter((path) => there.has(path));
    for (let at = 0; at < kept.length; at += PATHS_AT_ONCE) {
      const some = kept.slice(at, at + PATHS_AT_ONCE);
      await git(tree, ['--literal-pathspecs', 'checkout', '--quiet', 'HEAD', '--', ...some], { signal });
    }
    // Taken away by the change.
    const gone = paths.filter((path) => !there.has(path));
    await Promise.all(gone.map((path) => rm(join(place.path, path), { force: true })));
    return await work();
  } finally {
    if (!signal.aborted) await tidy(place, signal);
  }
}
