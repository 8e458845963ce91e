import type { RunContext } from '@nexus/plugin-sdk';
import type { Place } from '../worktree/place.ts';
import { leaveWorktree } from '../worktree/worktree.ts';

const PATIENCE_MS = 60_000;

/** Runs whose end this process waits for. */
const watched = new Set<string>();

/**
 * Has the worktree taken away when the run ends, however it ends: a cancelled run's function hears no more of it.
 * A run that pauses, or goes on elsewhere, keeps it; what a dead process left, the next pipeline takes away.
 */
export function leaveAtEnd(place: Place, { id, host }: RunContext): void {
  if (watched.has(id)) return;
  watched.add(id);
  void (async () => {
    const { status } = await host.runs.wait(id, { signal: host.signal });
    if (status === 'paused') return;
    // What it was doing is told to end, and may take a moment to hear it.
    await leaveWorktree(place, { runId: id, signal: AbortSignal.timeout(PATIENCE_MS) });
  })()
    .catch((error: unknown) => {
      if (!host.signal.aborted)
        host.log.warn('a worktree could not be left', { run: id, error: String(error) });
    })
    .finally(() => watched.delete(id));
}
