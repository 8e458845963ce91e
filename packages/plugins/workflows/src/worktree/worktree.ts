import { existsSync, realpathSync } from 'node:fs';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { GitFailure, git, gitExit } from '@nexus/git';
import { type Runs, ToolError } from '@nexus/plugin-sdk';
import { forgetHolder, hold, holderOf } from './holders.ts';
import { inTurn } from './in-turn.ts';
import type { Place } from './place.ts';

/** The run that works in a worktree; of a run with children, the first. */
export interface Holder {
  readonly runId: string;
  readonly runs: Runs;
  readonly signal: AbortSignal;
}

/**
 * The worktree of a place, there and the run's own: made where there is none, and where it was lost, from what
 * its branch holds. Called before each piece of work in it, since the process may be another than before.
 * @returns whether it had to be made
 * @throws {ToolError} NEXUS_CONFLICT where another run works in it; NEXUS_UNAVAILABLE where repository or branch are gone
 */
export function openWorktree(place: Place, holder: Holder): Promise<boolean> {
  return inTurn(place.path, () => open(place, holder));
}

async function open(place: Place, holder: Holder): Promise<boolean> {
  const { signal } = holder;
  await hold(place, holder);
  if (existsSync(join(place.path, '.git'))) {
    await breakDeadLocks(place, signal);
    return false;
  }
  if (!existsSync(place.repository)) {
    const text = `The repository ${place.repository} is not on this machine, and the work goes on in it alone. Resume the run where it is.`;
    throw new ToolError('NEXUS_UNAVAILABLE', text);
  }
  await rm(place.path, { recursive: true, force: true });
  await mkdir(dirname(place.path), { recursive: true, mode: 0o700 });
  const options = { signal };
  const tree = { treeTop: place.repository };
  const add = ['worktree', 'add', '--quiet', '--force'];
  if ((await tipOf(place, signal)) !== undefined) {
    await git(tree, [...add, place.path, place.branch], options);
  } else {
    await git(tree, [...add, '-b', place.branch, place.path, place.base], options);
  }
  return true;
}

/**
 * Takes the worktree of a run away, as often as asked; one that another run has taken up stays. Its branch stays
 * too, unless nothing is on it.
 */
export function leaveWorktree(
  place: Place,
  { runId, signal }: Pick<Holder, 'runId' | 'signal'>,
): Promise<void> {
  return inTurn(place.path, async () => {
    const holder = await holderOf(place.path);
    if (holder === undefined || holder.runId === runId) await leave(place, signal);
  });
}

/** Whether the repository itself has the worktree on record, on its branch. */
export async function hasWorktree(
  { repository, path, branch }: Place,
  signal: AbortSignal,
): Promise<boolean> {
  if (!existsSync(repository)) return false;
  const listed = await git({ treeTop: repository }, ['worktree', 'list', '--porcelain'], { signal }).catch(
    (error: unknown) => {
      if (error instanceof GitFailure) return ''; // it is no repository any more
      throw error;
    },
  );
  const real = existsSync(path) ? realpathSync(path) : path;
  return listed
    .split('\n\n')
    .map((entry) => entry.split('\n'))
    .some(
      (lines) =>
        (lines.includes(`worktree ${real}`) || lines.includes(`worktree ${path}`)) &&
        lines.includes(`branch refs/heads/${branch}`),
    );
}

async function leave(place: Place, signal: AbortSignal): Promise<void> {
  const { repository, path, branch, base } = place;
  const tree = { treeTop: repository };
  if (existsSync(repository)) {
    // Twice forced: it may hold what no commit does, and be locked.
    await git(tree, ['worktree', 'remove', '--force', '--force', path], { signal }).catch(
      (error: unknown) => {
        if (!(error instanceof GitFailure)) throw error; // it is no worktree any more
      },
    );
    const tip = await tipOf(place, signal);
    if (tip === base) await git(tree, ['branch', '--delete', '--force', branch], { signal });
  }
  await rm(path, { recursive: true, force: true, maxRetries: 5 });
  await forgetHolder(path);
}

/**
 * Gives the branch the name of work that is done, as often as asked. Not by git's own renaming, which moves the log of
 * any branch of a repository by way of one and the same file: of two at a time one fails.
 */
export async function nameDone(
  { repository, branch, doneBranch }: Place,
  signal: AbortSignal,
): Promise<void> {
  const tree = { treeTop: repository };
  const tip = await tipOf({ repository, branch }, signal);
  if (tip === undefined) return;
  await git(tree, ['update-ref', `refs/heads/${doneBranch}`, tip], { signal });
  await git(tree, ['update-ref', '-d', `refs/heads/${branch}`, tip], { signal });
}

/** Takes the branch away with what is on it, as often as asked. */
export async function dropBranch(
  place: Pick<Place, 'repository' | 'branch'>,
  signal: AbortSignal,
): Promise<void> {
  const tip = await tipOf(place, signal);
  if (tip === undefined) return;
  await git({ treeTop: place.repository }, ['update-ref', '-d', `refs/heads/${place.branch}`, tip], {
    signal,
  });
}

/** The commit that the branch is at; undefined where there is none. */
async function tipOf(
  { repository, branch }: Pick<Place, 'repository' | 'branch'>,
  signal: AbortSignal,
): Promise<string | undefined> {
  const args = ['rev-parse', '--verify', '--quiet', `refs/heads/${branch}`];
  const { exitCode, output } = await gitExit({ treeTop: repository }, args, { signal, allowExits: [1] });
  return exitCode === 0 ? output.trim() : undefined;
}

const LOCK_PATIENCE_MS = 3_000;
const LOOK_EVERY_MS = 50;

/**
 * A git that died leaves its locks, at which every later one fails. Nobody but the holder works here, one thing
 * after the other; a git that still ends has ended after the patience.
 */
async function breakDeadLocks({ path, branch }: Place, signal: AbortSignal): Promise<void> {
  const own = (await readFile(join(path, '.git'), 'utf8')).replace(/^gitdir: /, '').trim();
  const common = resolve(own, (await readFile(join(own, 'commondir'), 'utf8')).trim());
  const locks = [
    join(own, 'index.lock'),
    join(own, 'HEAD.lock'),
    `${join(common, 'refs', 'heads', ...branch.split('/'))}.lock`,
  ];
  const deadline = performance.now() + LOCK_PATIENCE_MS;
  while (locks.some((lock) => existsSync(lock)) && performance.now() < deadline) {
    await delay(LOOK_EVERY_MS, undefined, { signal });
  }
  await Promise.all(locks.map((lock) => rm(lock, { force: true })));
}
