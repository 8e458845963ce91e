import { randomUUID } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';

const LOCK_WAIT_MS = 5000;
const LOOK_EVERY_MS = 25;

/**
 * Runs the work while the lock file is this call's own, or after having waited a while: whoever holds it may
 * be waiting for a person. A holder that has died is cleared away; a lock of anyone else is never deleted.
 */
export async function withLockFile<T>(
  path: string,
  work: () => Promise<T>,
  waitMs: number = LOCK_WAIT_MS,
): Promise<T> {
  const own = `${hostname()} ${process.pid} ${randomUUID()}`;
  const isOurs = await take(path, own, waitMs);
  try {
    return await work();
  } finally {
    if (isOurs) await removeIf(path, (holder) => holder === own);
  }
}

async function take(path: string, own: string, waitMs: number): Promise<boolean> {
  const deadline = performance.now() + waitMs;
  do {
    const isTaken = await writeFile(path, own, { mode: 0o600, flag: 'wx' }).then(
      () => true,
      () => false,
    );
    if (isTaken) return true;
    if (!(await removeIf(path, hasDied))) await delay(LOOK_EVERY_MS);
  } while (performance.now() < deadline);
  return false;
}

/**
 * Set aside before it is read a second time: between reading and deleting, another may have taken it.
 * @returns whether it was removed
 */
async function removeIf(path: string, isWanted: (holder: string) => boolean): Promise<boolean> {
  const before = await holderOf(path);
  if (before === undefined || !isWanted(before)) return false;
  const aside = `${path}.${randomUUID()}`;
  try {
    await rename(path, aside);
  } catch {
    return false;
  }
  const isSame = (await holderOf(aside)) === before;
  // Someone else's after all: back it goes, unless a third was quicker.
  if (!isSame) await link(aside, path).catch(() => {});
  await rm(aside, { force: true });
  return isSame;
}

async function holderOf(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch(() => undefined);
}

/** Of this machine alone can that be told. */
function hasDied(holder: string): boolean {
  const [machine, pid = ''] = holder.split(' ');
  // Also of one that is being written, or that an earlier version left.
  if (machine !== hostname() || !/^\d+$/.test(pid)) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH';
  }
}
