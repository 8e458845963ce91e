export { type FileLock, isLocked, LocksUnsupportedError, takeFileAway, tryLockFile } from './file-lock.ts';
export { whileLocked } from './while-locked.ts';
