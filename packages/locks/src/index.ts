export { type FileLock, isLocked, LocksUnsupportedError, tryLockFile } from './file-lock.ts';
export { whileLocked } from './while-locked.ts';
