import { statSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { type FileLock, LocksUnsupportedError, tryLockFile } from './file-lock.ts';

const LOOK_EVERY_MS = 25;

/**
 * Runs the work while the lock is this call's own, or after one holder was waited for in vain, or where there are no
 * locks: for what is better done unguarded than not at all.
 * @param waitMs how long each holder is waited for: many that take turns are no reason to go on beside them
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
  let holder: string | undefined;
  let deadline = performance.now() + waitMs;
  for (;;) {
    const lock = await tryLockFile(path).catch((error: unknown) => {
      if (error instanceof LocksUnsupportedError) return 'unsupported' as const;
      throw error;
    });
    if (lock === 'unsupported') return undefined;
    if (lock) return lock;
    const found = holderOf(path);
    if (found !== holder) deadline = performance.now() + waitMs;
    else if (performance.now() >= deadline) return undefined;
    holder = found;
    await delay(LOOK_EVERY_MS);
  }
}

/** Whoever lets go takes the file away, so that the next has another; undefined where nobody has it by now. */
function holderOf(path: string): string | undefined {
  const file = statSync(path, { bigint: true, throwIfNoEntry: false });
  return file && `${file.ino} ${file.ctimeNs}`;
}
