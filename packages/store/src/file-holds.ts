/// <reference path="./fs-native-extensions.d.ts" />
import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, mkdirSync, openSync, statSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Hold } from '@nexus/plugin-sdk';

/** Names that processes of one data directory hold. */
export interface FileHolds {
  hold(name: string): Promise<Hold | undefined>;
  isHeld(name: string): Promise<boolean>;
  close(): void;
}

/**
 * A lock of the kernel on a file for each name: free as soon as its process ends in whatever way, and not
 * while it is merely stopped. Processes that share the database share its folder, so they see each other's.
 */
export function fileHolds(dataDir: string): FileHolds {
  const folder = join(dataDir, 'holds');
  const releases = new Set<() => void>();
  const pathOf = (name: string) =>
    join(folder, `${createHash('sha256').update(name).digest('hex').slice(0, 40)}.lock`);

  return {
    async hold(name) {
      const locks = await loadLocks();
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      const path = pathOf(name);
      const fd = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600);
      // Where the platform has no locks nobody else can look either.
      if (locks && !(locks.tryLock(fd) && isFileAt(path, fd))) {
        closeSync(fd);
        return undefined;
      }
      const release = () => {
        if (releases.delete(release)) removeAndClose(path, fd);
      };
      releases.add(release);
      return { lost: new AbortController().signal, release: async () => release() };
    },
    async isHeld(name) {
      const path = pathOf(name);
      const fd = openExisting(path);
      if (fd === undefined) return false;
      const locks = await loadLocks();
      // Shared, so that who looks at the same time does not see the other's look.
      if (!locks?.tryLock(fd, { shared: true })) {
        closeSync(fd);
        return true;
      }
      removeAndClose(path, fd);
      return false;
    },
    close() {
      for (const release of [...releases]) release();
    },
  };
}

function openExisting(path: string): number | undefined {
  try {
    return openSync(path, constants.O_RDWR);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Before it is free: whoever opened this file and locks it next sees that it is no longer there. */
function removeAndClose(path: string, fd: number): void {
  try {
    if (isFileAt(path, fd)) unlinkSync(path);
  } catch {
    // A file that stays behind does no harm.
  } finally {
    closeSync(fd);
  }
}

/** A lock on a file that was removed meanwhile keeps nobody out. */
function isFileAt(path: string, fd: number): boolean {
  const own = fstatSync(fd, { bigint: true });
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found?.ino === own.ino && found.dev === own.dev;
}

/** Undefined on a platform without the native part: whether a name is held is then not known, and a lease decides. */
async function loadLocks() {
  return import('fs-native-extensions').catch(() => undefined);
}
