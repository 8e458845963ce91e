import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { hashIdentity, type Identity } from './identity.ts';
import type { MeetingPoint } from './meeting-point.ts';
import { readPointer } from './pointer.ts';

/** A server of another build that runs for the same project, such as one from before an upgrade. */
export interface OtherBuild {
  readonly pid: number;
  readonly buildId: string;
  /** Where it is asked. */
  readonly point: MeetingPoint;
}

/** Those that left a pointer for the same project and data directory, and whose process is there. */
export async function otherBuilds(
  point: MeetingPoint,
  isAlive: (pid: number) => boolean,
): Promise<readonly OtherBuild[]> {
  const names = await readdir(point.folder).catch(() => []);
  const found = await Promise.all(
    names.filter((name) => /^[0-9a-f]{16}\.json$/.test(name)).map((name) => read(point, name)),
  );
  return found.filter((each) => each !== undefined).filter(({ pid }) => isAlive(pid));
}

async function read(point: MeetingPoint, name: string): Promise<OtherBuild | undefined> {
  const pointerPath = join(point.folder, name);
  const pointer = await readPointer(pointerPath);
  const { identity, pid = 0 } = pointer ?? {};
  // One from before pointers said whose they are can't be told from another project's.
  if (!identity || !isSameProject(identity, point.identity)) return undefined;
  const hash = hashIdentity(identity);
  if (`${hash}.json` !== name || hash === point.hash) return undefined;
  const lockPath = join(point.folder, `${hash}.lock`);
  return { pid, buildId: identity.buildId, point: { ...point, identity, hash, lockPath, pointerPath } };
}

function isSameProject(one: Identity, other: Identity): boolean {
  return one.projectRoot === other.projectRoot && one.dataDir === other.dataDir;
}
