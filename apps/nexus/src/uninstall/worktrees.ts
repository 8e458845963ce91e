import { existsSync, readdirSync, statSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { GitFailure, git } from '@nexus/git';
import { isToolError } from '@nexus/plugin-sdk';
import { KEPT_MARK } from '@nexus/plugin-workflows/kept-mark';
import { UnreadableFileError } from '@nexus/primitives';
import { findRepository } from '../project/repository.ts';
import { GONE_MARK, WORKTREES } from '../state/made-names.ts';
import { onlyCopyAt } from './only-copy.ts';

/** A worktree that Nexus made in a data directory, of whatever repository. */
export interface MadeWorktree {
  readonly path: string;
  /** What of it is nowhere else, for a person: such a worktree stays. */
  readonly holds: string | undefined;
  /** @throws {Error} where it holds something by now */
  remove(): Promise<void>;
  /** Sees that no Nexus takes it away later as the rest of work that nobody knows any more. */
  keep(): Promise<void>;
}

const GIT_MS = 60_000;
/** One that is being taken away is called so first: a kill in the middle leaves no half of it that looks like work. */
const MADE = /^([0-9a-f]{8})(\.gone)?$/;

export async function madeWorktrees(dataDir: string): Promise<MadeWorktree[]> {
  const folder = join(dataDir, WORKTREES);
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const found: MadeWorktree[] = [];
  for (const name of new Set(names.flatMap((each) => MADE.exec(each)?.[1] ?? []))) {
    const path = join(folder, name);
    const gone = `${path}${GONE_MARK}`;
    if (!isWorktree(path) && !existsSync(gone)) continue;
    found.push({
      path,
      holds: isWorktree(path) ? await heldIn(path) : undefined,
      remove: () => remove(path, gone),
      keep: () => writeFile(`${path}${KEPT_MARK}`, '', { mode: 0o600 }),
    });
  }
  return found;
}

/** A repository's own `.git` is a folder. */
function isWorktree(path: string): boolean {
  return statSync(join(path, '.git'), { throwIfNoEntry: false })?.isFile() === true;
}

async function remove(path: string, gone: string): Promise<void> {
  await takeOffRecord(gone, path);
  await rm(gone, { recursive: true, force: true, maxRetries: 5 });
  if (!isWorktree(path)) return;
  const holds = await heldIn(path);
  if (holds !== undefined) throw new Error(holds);
  await rename(path, gone);
  await takeOffRecord(gone, path);
  await rm(gone, { recursive: true, force: true, maxRetries: 5 });
}

/** Takes the worktree `path`, which lies at `gone` now, off its repository's list. */
async function takeOffRecord(gone: string, path: string): Promise<void> {
  const gitDir = isWorktree(gone) ? findRepository(gone)?.gitDir : undefined;
  if (gitDir === undefined || basename(gitDir) !== '.git' || existsSync(path)) return;
  const args = ['worktree', 'remove', '--force', '--force', path];
  await git({ treeTop: dirname(gitDir) }, args, { signal: AbortSignal.timeout(GIT_MS) }).catch(
    (error: unknown) => {
      if (!(error instanceof GitFailure)) throw error; // it is no worktree any more
    },
  );
}

const UNKNOWN = 'git does not say what is in it';

/** What is in a worktree alone: changes that no commit holds, and commits that are on no branch of another's. */
async function heldIn(path: string): Promise<string | undefined> {
  const ask = (args: readonly string[]) =>
    git({ treeTop: path }, args, { signal: AbortSignal.timeout(GIT_MS) });
  try {
    if (!findRepository(path)) return UNKNOWN;
    const status = ['status', '--porcelain', '--untracked-files=normal', '--ignore-submodules=none', '--'];
    if ((await ask(status)) !== '') return 'it has changes that no commit holds';
    return await onlyCopyAt(ask, 'HEAD');
  } catch (error) {
    if (error instanceof GitFailure || error instanceof UnreadableFileError || isToolError(error))
      return UNKNOWN;
    throw error;
  }
}
