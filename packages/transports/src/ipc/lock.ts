/// <reference path="./fs-native-extensions.d.ts" />
import { closeSync, constants, fstatSync, openSync, statSync, unlinkSync } from 'node:fs';
import { SharingError } from './sharing-error.ts';

export interface Lock {
  /** Frees the lock and removes its file, so that projects that come and go leave none behind. */
  release(): void;
}

/**
 * Takes the kernel's lock on the file, if nobody has it. The kernel frees it when the process ends in
 * whatever way, and not while it is merely stopped.
 * @throws {SharingError} on a platform without the lock's native part
 */
export async function tryLockFile(path: string): Promise<Lock | undefined> {
  const { tryLock } = await loadLocks();
  const fd = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600);
  let isLocked = false;
  try {
    isLocked = tryLock(fd) && isFileAt(path, fd);
  } finally {
    if (!isLocked) closeSync(fd);
  }
  return isLocked ? { release: () => release(path, fd) } : undefined;
}

function release(path: string, fd: number): void {
  try {
    // Before it is free: whoever opened this file and locks it after us sees that it is no longer there.
    if (isFileAt(path, fd)) unlinkSync(path);
  } catch {
    // A file that stays behind does no harm.
  } finally {
    closeSync(fd);
  }
}

/** A lock on a file that was removed meanwhile keeps nobody out. */
function isFileAt(path: string, fd: number): boolean {
  const held = fstatSync(fd, { bigint: true });
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found?.ino === held.ino && found.dev === held.dev;
}

async function loadLocks() {
  try {
    return await import('fs-native-extensions');
  } catch (error) {
    throw new SharingError(
      `Sharing needs file locks, and fs-native-extensions has none for ${process.platform}-${process.arch}. Use --standalone.`,
      error,
    );
  }
}
