import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isLocked, LocksUnsupportedError } from '@nexus/locks';
import { isAlive } from '@nexus/processes';
import { hashIdentity, type MeetingPoint, readPointer } from '@nexus/transports/ipc';

/** A server that is there, or about to be. */
export interface MetServer {
  readonly hash: string;
  /** Undefined of one that still starts. */
  readonly pid: number | undefined;
  /** Where it is asked; undefined of one that still starts, and of builds that did not say whose they are. */
  readonly point: MeetingPoint | undefined;
}

/** Every server that is met in the folder of `near`, of whatever project: it holds its lock for its whole life. */
export async function serversIn(near: MeetingPoint): Promise<readonly MetServer[]> {
  const names = await readdir(near.folder).catch(() => []);
  const hashes = new Set(names.flatMap((name) => /^([0-9a-f]{16})\.(?:json|lock)$/.exec(name)?.[1] ?? []));
  const found = await Promise.all([...hashes].map((hash) => look(near, hash)));
  return found.filter((each) => each !== undefined);
}

async function look(near: MeetingPoint, hash: string): Promise<MetServer | undefined> {
  const lockPath = join(near.folder, `${hash}.lock`);
  const pointerPath = join(near.folder, `${hash}.json`);
  const pointer = await readPointer(pointerPath);
  if (!(await isHeld(lockPath, () => pointer !== undefined && isAlive(pointer.pid)))) return undefined;
  const { identity, pid } = pointer ?? {};
  const isKnown = identity && hashIdentity(identity) === hash;
  return { hash, pid, point: isKnown ? { ...near, identity, hash, lockPath, pointerPath } : undefined };
}

function isHeld(lockPath: string, otherwise: () => boolean): Promise<boolean> {
  return isLocked(lockPath).catch((error: unknown) => {
    if (error instanceof LocksUnsupportedError) return otherwise();
    throw error;
  });
}
