import { spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { programEnvironment } from '@nexus/plugin-sdk';

const TERM_GRACE_MS = 2000;
const LOOK_EVERY_MS = 25;

/** Whether any process of the group is left. */
function groupLives(groupId: number): boolean {
  return signalGroup(groupId, 0);
}

/**
 * Ends every process of a group: asked first, and forced after two seconds. A process that left the group
 * is not reached. On Windows, which has no groups, the tree of the process is ended.
 */
export async function endGroup(groupId: number): Promise<void> {
  if (process.platform === 'win32') {
    await endTree(groupId);
    return;
  }
  if (!signalGroup(groupId, 'SIGTERM')) return;
  const deadline = performance.now() + TERM_GRACE_MS;
  while (performance.now() < deadline) {
    await delay(LOOK_EVERY_MS);
    if (!groupLives(groupId)) return;
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
  const taskkill = spawn('taskkill', ['/pid', String(pid), '/T', '/F'], {
    env: programEnvironment([]),
    stdio: 'ignore',
    windowsHide: true,
  });
  await new Promise<void>((resolve) => {
    taskkill.once('error', () => resolve());
    taskkill.once('exit', () => resolve());
  });
}
