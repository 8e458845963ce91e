import { execFile } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';

const TERM_GRACE_MS = 2000;
const POLL_MS = 20;

/**
 * Ends a process and all that it started. On POSIX it must lead a process group of its own (spawned
 * `detached`), since a launcher such as npx leaves its children behind.
 */
export async function endProcessTree(pid: number): Promise<void> {
  if (process.platform === 'win32') return endOnWindows(pid);
  if (!signalGroup(pid, 'SIGTERM')) return;
  const deadline = Date.now() + TERM_GRACE_MS;
  while (Date.now() < deadline) {
    if (!signalGroup(pid, 0)) return;
    await pause(POLL_MS);
  }
  signalGroup(pid, 'SIGKILL');
}

/** @returns false when the group has no process any more */
function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-pid, signal);
  } catch {
    return false;
  }
}

function endOnWindows(pid: number): Promise<void> {
  // Its failure means that the process is gone already.
  return new Promise((resolve) => {
    execFile('taskkill', ['/PID', String(pid), '/T', '/F'], () => resolve());
  });
}
