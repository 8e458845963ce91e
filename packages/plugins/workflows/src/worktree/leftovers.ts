import { rm } from 'node:fs/promises';
import type { Host } from '@nexus/plugin-sdk';
import { isMadeBranch } from './branch-names.ts';
import { abandoned, forgetHolder } from './holders.ts';
import type { Place } from './place.ts';
import { type Holder, hasWorktree, leaveWorktree } from './worktree.ts';

/**
 * Takes away what ended runs left under the data directory. What can't be taken away is told, and no reason to
 * stop: the next run tries again.
 */
export async function removeLeftovers({ dataDir, runs, log }: Host, signal: AbortSignal): Promise<void> {
  const { held, paths } = await abandoned(dataDir, runs);
  const attempts = [
    ...held.map(
      ({ runId, place }) =>
        () =>
          leave(place, { runId, signal }),
    ),
    ...paths.map((path) => () => rm(path, { recursive: true, force: true, maxRetries: 5 })),
  ];
  for (const attempt of attempts) {
    await attempt().catch((error: unknown) => {
      signal.throwIfAborted();
      log.warn('what an ended run left could not be removed', { error: String(error) });
    });
  }
}

/** Of a repository that does not say itself that the worktree and the branch are there together, nothing is taken. */
async function leave(place: Place, holder: Pick<Holder, 'runId' | 'signal'>): Promise<void> {
  if (isMadeBranch(place.branch) && (await hasWorktree(place, holder.signal))) {
    return leaveWorktree(place, holder);
  }
  await rm(place.path, { recursive: true, force: true, maxRetries: 5 });
  await forgetHolder(place.path);
}
