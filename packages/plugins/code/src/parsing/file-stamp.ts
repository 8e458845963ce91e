import type { Stats } from 'node:fs';
import type { FileStamp } from './task.ts';

/** The coarsest clock of a file system (FAT): a change that soon after a reading may show no new time. */
const CLOCK_STEP_MS = 2_000;

export function stampOf(stats: Stats, readAtMs: number): FileStamp {
  return { changedAtMs: stats.ctimeMs, size: stats.size, inode: stats.ino, readAtMs };
}

/** Whether a file that looks like `seen` still has the content that it was `known` with. */
export function looksUnchanged(known: FileStamp, seen: FileStamp): boolean {
  return (
    known.changedAtMs === seen.changedAtMs &&
    known.size === seen.size &&
    known.inode === seen.inode &&
    known.readAtMs - known.changedAtMs > CLOCK_STEP_MS
  );
}
