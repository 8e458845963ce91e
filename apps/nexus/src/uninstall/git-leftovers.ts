import { existsSync } from 'node:fs';
import { GitFailure, git } from '@nexus/git';
import { isMadeBranch } from '@nexus/plugin-workflows/branch-names';
import { isChosen, recordOf } from '../state/data-dir-record.ts';
import { isMadeWorktree } from '../state/made-names.ts';
import { keeps, pathIn } from '../state/own-files.ts';
import { realOf } from '../state/real-of.ts';
import type { Leftovers } from './leftover.ts';
import { type AskGit, onlyCopyAt } from './only-copy.ts';
import type { MadeWorktree } from './worktrees.ts';

const GIT_MS = 60_000;

/**
 * Worktrees that git still has on record though they are gone, and the branches that work was left on. One with work that
 * is nowhere else stays.
 */
export async function gitLeftovers(
  treeTop: string,
  { dataDir, going }: { readonly dataDir: string; readonly going: readonly MadeWorktree[] },
): Promise<Leftovers> {
  const signal = AbortSignal.timeout(GIT_MS);
  const run = (args: readonly string[]) => git({ treeTop }, args, { signal });
  const ask = (args: readonly string[]) =>
    run(args).catch((error: unknown) => {
      // A repository that git does not read has none of them.
      if (error instanceof GitFailure) return '';
      throw error;
    });
  const real = realOf(dataDir);
  const isKept = keeps(recordOf(dataDir)?.before ?? []);
  const isKnown = !isChosen(dataDir) || recordOf(dataDir) !== undefined;
  const listed = await ask(['worktree', 'list', '--porcelain']);
  const gone = listed
    .split('\n')
    .flatMap((line) => /^worktree (.+)$/.exec(line)?.[1] ?? [])
    .filter((folder) => isKnown && isMadeWorktree(pathIn(real, folder)) && !isKept(pathIn(real, folder)))
    .filter((folder) => !existsSync(folder));
  const isGoing = new Set([...gone, ...going.map(({ path }) => realOf(path))]);
  const format = '--format=%(refname:short)%09%(worktreepath)%09%(contents:subject)';
  const branches = (await ask(['for-each-ref', format, 'refs/heads/nexus/']))
    .split('\n')
    .filter(Boolean)
    .map((line) => line.split('\t'))
    .map(([branch = '', usedIn = '', subject = '']) => ({ branch, usedIn, subject }));
  const isOurs = ({ branch }: { branch: string }) => isMadeBranch(branch);
  const isInUse = ({ usedIn }: { usedIn: string }) => usedIn !== '' && !isGoing.has(usedIn);
  const mine = branches.filter((each) => isOurs(each) && !isInUse(each));
  const holding = new Map<string, string>();
  for (const { branch } of mine) {
    const holds = await heldOn(run, branch);
    if (holds !== undefined) holding.set(branch, holds);
  }
  const found = [
    ...gone.map((folder) => ({
      what: `the record of a worktree that is gone: ${folder}`,
      remove: async () => void (await run(['worktree', 'remove', '--force', '--force', folder])),
    })),
    ...mine
      .filter(({ branch }) => !holding.has(branch))
      .map(({ branch, subject }) => ({
        what: `a branch whose work is on another one too: ${branch} (${subject}) in ${treeTop}`,
        branch: `the branch ${branch} (${subject}) in ${treeTop}`,
        remove: () => removeBranch(run, branch),
      })),
  ];
  const others = branches.flatMap((each) => {
    const branch = `the branch ${each.branch} in ${treeTop}`;
    if (!isOurs(each)) return [`${branch}, which Nexus did not make`];
    if (isInUse(each)) return [`${branch}, which is checked out in ${each.usedIn}`];
    const holds = holding.get(each.branch);
    const deletes = `once you have what you need of it, delete it there by \`git branch -D ${each.branch}\``;
    return holds === undefined ? [] : [`${branch} (${each.subject}), since ${holds}: ${deletes}`];
  });
  return { found, others };
}

/** Work may have been done on it since it was looked at. */
async function removeBranch(run: AskGit, branch: string): Promise<void> {
  const holds = await heldOn(run, branch);
  if (holds !== undefined) throw new Error(holds);
  await run(['branch', '--delete', '--force', branch]);
}

/** What of a branch is nowhere else. */
function heldOn(run: AskGit, branch: string): Promise<string | undefined> {
  return onlyCopyAt(run, `refs/heads/${branch}`).catch((error: unknown) => {
    if (error instanceof GitFailure) return 'git does not say what is on it';
    throw error;
  });
}
