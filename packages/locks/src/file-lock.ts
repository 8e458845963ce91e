/// <reference path="./fs-native-extensions.d.ts" />
import { closeSync, constants, fstatSync, openSync, statSync, unlinkSync } from 'node:fs';
import { createRequire } from 'node:module';

/** A lock that this process has. */
export interface FileLock {
  /** False once somebody took the file away, who has one of his own in its place: see {@link takeFileAway}. */
  isValid(): boolean;
  /** Frees it and removes its file, so that what comes and goes leaves none behind. */
  release(): void;
}

/** The platform has no native part of the locks: who holds what can't be known there. */
export class LocksUnsupportedError extends Error {
  constructor(cause: unknown) {
    super(`fs-native-extensions has no file locks for ${process.platform}-${process.arch}`, { cause });
    this.name = 'LocksUnsupportedError';
  }
}

/**
 * Takes the kernel's lock on the file, made for its owner alone if it is not there, if nobody has it. The kernel
 * frees it when the process ends in whatever way, and not while it is merely stopped; nobody has to be asked
 * whether they live, and nobody can take away another's.
 * @throws {LocksUnsupportedError}
 */
export async function tryLockFile(path: string): Promise<FileLock | undefined> {
  const { tryLock } = await loadLocks();
  const fd = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600);
  let isTaken = false;
  try {
    isTaken = tryLock(fd) && isFileAt(path, fd);
  } finally {
    if (!isTaken) closeSync(fd);
  }
  if (!isTaken) return undefined;
  let isOpen = true;
  return {
    isValid: () => isOpen && isFileAt(path, fd),
    release() {
      if (isOpen) removeAndClose(path, fd);
      isOpen = false;
    },
  };
}

/**
 * Lets the next have the lock though its holder does not end: the file that it locks is no longer the one that
 * others do. For who is sure that the holder hangs; it finds out by `isValid`.
 */
export function takeFileAway(path: string): void {
  unlinkSync(path);
}

/**
 * Whether somebody has the lock on the file.
 * @throws {LocksUnsupportedError}
 */
export async function isLocked(path: string): Promise<boolean> {
  const { tryLock } = await loadLocks();
  const fd = openExisting(path);
  if (fd === undefined) return false;
  // Shared, so that who looks at the same time does not see the other's look.
  const isFree = tryLock(fd, { shared: true });
  if (isFree) removeAndClose(path, fd);
  else closeSync(fd);
  return !isFree;
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

interface NativePart {
  /** @throws EAGAIN where another open file has the lock */
  tryLock(fd: number, offset: number, length: number, isExclusive: boolean): void;
}

let locks: { tryLock(fd: number, options?: { shared?: boolean }): boolean } | undefined;

async function loadLocks() {
  try {
    locks ??= prebuiltLocks() ?? (await import('fs-native-extensions'));
    return locks;
  } catch (error) {
    throw new LocksUnsupportedError(error);
  }
}

/** The package looks for its native part in some fifty places, for 15 ms of every start; this is the first of them. */
function prebuiltLocks(): typeof locks {
  const { platform, arch } = process;
  try {
    const part = `fs-native-extensions/prebuilds/${platform}-${arch}/fs-native-extensions.node`;
    const native: NativePart = createRequire(import.meta.url)(part);
    return {
      tryLock(fd, { shared = false } = {}) {
        try {
          native.tryLock(fd, 0, 0, !shared);
          return true;
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return false;
          throw error;
        }
      },
    };
  } catch {
    return undefined;
  }
}
