import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { isLocked, LocksUnsupportedError, tryLockFile } from '@nexus/locks';
import type { Hold } from '@nexus/plugin-sdk';

/** Names that processes of one data directory hold. */
export interface FileHolds {
  hold(name: string): Promise<Hold | undefined>;
  isHeld(name: string): Promise<boolean>;
  close(): void;
}

/**
 * A file lock for each name: free as soon as its process ends in whatever way, and not while it is merely
 * stopped. Processes that share the database share its folder, so they see each other's.
 */
export function fileHolds(dataDir: string): FileHolds {
  const folder = join(dataDir, 'holds');
  const releases = new Set<() => void>();
  const pathOf = (name: string) =>
    join(folder, `${createHash('sha256').update(name).digest('hex').slice(0, 40)}.lock`);

  return {
    async hold(name) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      const lock = await tryLockFile(pathOf(name)).catch(unsupported({ release() {} }));
      if (!lock) return undefined;
      const release = () => {
        if (releases.delete(release)) lock.release();
      };
      releases.add(release);
      return { lost: new AbortController().signal, release: async () => release() };
    },
    isHeld: async (name) => isLocked(pathOf(name)).catch(unsupported(true)),
    close() {
      for (const release of [...releases]) release();
    },
  };
}

/** What holds on a platform without locks: whether a name is held is then not known, and a lease decides. */
function unsupported<Answer>(answer: Answer) {
  return (error: unknown): Answer => {
    if (error instanceof LocksUnsupportedError) return answer;
    throw error;
  };
}
