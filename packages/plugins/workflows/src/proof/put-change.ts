import { rm, writeFile } from 'node:fs/promises';
import { GitFailure, git } from '@nexus/git';
import type { Place } from '../worktree/place.ts';

/** Commits without a change and with it; plain JSON. */
export interface Sides {
  readonly without: string;
  readonly with: string;
}

/**
 * Puts a change on the branch of a fresh worktree, as a commit of its own: what the last commit has of it is taken
 * back first.
 * @returns undefined where the last commit neither has it nor can take it
 */
export async function putChange(
  place: Place,
  patch: string,
  signal: AbortSignal,
): Promise<Sides | undefined> {
  const tree = { treeTop: place.path };
  const file = `${place.path}.patch`;
  const tip = async () => (await git(tree, ['rev-parse', '--verify', 'HEAD^{commit}'], { signal })).trim();
  const apply = async (title: string, ...how: readonly string[]): Promise<boolean> => {
    const args = ['apply', '--index', '--whitespace=nowarn', ...how, file];
    const isApplied = await git(tree, args, { signal }).then(
      () => true,
      (error: unknown) => {
        if (error instanceof GitFailure) return false;
        throw error;
      },
    );
    if (!isApplied) return false;
    await git(tree, ['commit', '--quiet', '--allow-empty', '--message', title, '--'], { signal });
    return true;
  };
  await git(tree, ['reset', '--quiet', '--hard', place.base, '--'], { signal }); // of a process that died in between
  await writeFile(file, patch.endsWith('\n') ? patch : `${patch}\n`);
  try {
    if (await apply('With the change')) return { without: place.base, with: await tip() };
    if (!(await apply('Without the change', '--reverse'))) return undefined;
    const without = await tip();
    return (await apply('With the change')) ? { without, with: await tip() } : undefined;
  } finally {
    await rm(file, { force: true });
  }
}
