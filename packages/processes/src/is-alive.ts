import { readFileSync } from 'node:fs';

/** Whether a process is there: also one that is another user’s, and one that nobody has waited for yet. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Whether a process has ended, be it that nobody has waited for it yet, as on Linux who started it may never do. */
export function hasEnded(pid: number): boolean {
  if (!isAlive(pid)) return true;
  if (process.platform !== 'linux') return false;
  try {
    // `pid (name) state …`, and a name may hold what it likes.
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return stat.charAt(stat.lastIndexOf(')') + 2) === 'Z';
  } catch {
    return !isAlive(pid);
  }
}
