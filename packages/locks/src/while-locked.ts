import { setTimeout as delay } from 'node:timers/promises';
import { type FileLock, LocksUnsupportedError, tryLockFile } from './file-lock.ts';

const LOOK_EVERY_MS = 25;

/**
 * Runs the work while the lock is this call's own, or after having waited in vain, or where there are no locks: for
 * what is better done unguarded than not at all.
 */
export async function whileLocked<T>(path: string, work: () => Promise<T>, waitMs: number): Promise<T> {
  const lock = await take(path, waitMs);
  try {
    return await work();
  } finally {
    lock?.release();
  }
}

async function take(path: string, waitMs: number): Promise<FileLock | undefined> {
  const deadline = performance.now() + waitMs;
  for (;;) {
    const lock = await tryLockFile(path).catch((error: unknown) => {
      if (error instanceof LocksUnsupportedError) return 'unsupported' as const;
      throw error;
    });
    if (lock === 'unsupported') return undefined;
    if (lock || performance.now() >= deadline) return lock;
    await delay(LOOK_EVERY_MS);
  }
}
