import { takeFileAway, tryLockFile } from '@nexus/locks';
import type { Log } from '@nexus/plugin-sdk';
import { type Claim, tryClaim } from './claim.ts';
import type { MeetingPoint } from './meeting-point.ts';
import { type Pointer, readPointer, removePointer } from './pointer.ts';

/**
 * Takes the place of an owner that hangs. It has the lock, and may go on at any time: its pointer is taken away,
 * and the file that it locks, by which it finds out. Of those that come for it at once one does so.
 * @returns undefined where another process did, or the place can't be taken, as on Windows
 */
export async function trySucceed(point: MeetingPoint, hung: Pointer, log: Log): Promise<Claim | undefined> {
  const turn = await tryLockFile(`${point.lockPath}.next`);
  if (!turn) return undefined;
  try {
    const now = await readPointer(point.pointerPath);
    if (now?.token !== hung.token) return undefined;
    takeFileAway(point.lockPath);
    await removePointer(point.pointerPath);
    const claim = await tryClaim(point, log, { isSuccession: true });
    if (claim) log.warn('the running server hangs; this process takes its place', { pid: hung.pid });
    return claim;
  } catch (error) {
    log.warn('the running server hangs, and its place can’t be taken', { pid: hung.pid, err: error });
    return undefined;
  } finally {
    turn.release();
  }
}
