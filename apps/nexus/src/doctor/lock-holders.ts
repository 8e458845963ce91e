import { readFileSync, statSync } from 'node:fs';

/** Kind and mode of a lock, its process, and the file's number. */
const LOCK = /^\d+: POSIX +\w+ +WRITE (\d+) \w+:\w+:(\d+) /;

/**
 * Which processes of this machine keep others from an SQLite file, as `process 826 (python3)`; on Linux alone, which
 * lists the locks of all. Those of other containers are not told.
 */
export function lockHolders(file: string): string[] {
  const inodes = [file, `${file}-shm`].map((each) => statSync(each, { throwIfNoEntry: false })?.ino);
  const pids = linesOf('/proc/locks').flatMap((line) => {
    const [, pid = '', inode = ''] = LOCK.exec(line) ?? [];
    return inodes.includes(Number(inode)) && Number(pid) !== process.pid ? [pid] : [];
  });
  return [...new Set(pids)].map((pid) => `process ${pid} (${linesOf(`/proc/${pid}/comm`)[0] ?? 'unknown'})`);
}

function linesOf(path: string): string[] {
  try {
    return readFileSync(path, 'utf8').split('\n');
  } catch {
    return [];
  }
}
