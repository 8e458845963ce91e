import { rm } from 'node:fs/promises';
import type { Host } from '@nexus/plugin-sdk';
import { abandoned } from './holders.ts';
import { leaveWorktree } from './worktree.ts';

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
          leaveWorktree(place, { runId, signal }),
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
