import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';

const TERM_GRACE_MS = 2_000;
const LOOK_EVERY_MS = 25;

/**
 * Ends every process of a group: asked first, and forced after two seconds. A process that left the group is
 * not reached. On Windows, which has no groups, the tree of the process is ended.
 */
export async function endGroup(groupId: number): Promise<void> {
  if (process.platform === 'win32') return endTree(groupId);
  if (!signalGroup(groupId, 'SIGTERM')) return;
  const deadline = performance.now() + TERM_GRACE_MS;
  while (performance.now() < deadline) {
    await delay(LOOK_EVERY_MS);
    if (!signalGroup(groupId, 0)) return;
  }
  signalGroup(groupId, 'SIGKILL');
}

function signalGroup(groupId: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-groupId, signal);
    return true;
  } catch {
    return false;
  }
}

async function endTree(pid: number): Promise<void> {
  const options = { stdio: 'ignore', windowsHide: true } as const;
  const taskkill = spawn('taskkill', ['/pid', String(pid), '/T', '/F'], options);
  await new Promise<void>((resolve) => {
    taskkill.once('error', () => resolve());
    taskkill.once('exit', () => resolve());
  });
}

/** Its input ends with the process that holds the other end, even by SIGKILL; a line before that lets the group be. */
const SCRIPT = `
trap '' HUP INT TERM
read -r line && exit 0
kill -s TERM -- "-$1" 2>/dev/null
sleep 2
kill -s KILL -- "-$1" 2>/dev/null
`;

/**
 * Has a group ended should this process be gone, by a small shell that waits for that.
 * @returns lets the group be
 */
export function guardGroup(groupId: number): () => void {
  if (process.platform === 'win32') return () => {};
  const shell: ChildProcess = spawn('/bin/sh', ['-c', SCRIPT, 'sh', String(groupId)], {
    // A session of its own: what ends this process's group or terminal must not end it.
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  shell.on('error', () => {});
  shell.stdin?.on('error', () => {});
  shell.unref();
  return () => void shell.stdin?.end('done\n');
}
