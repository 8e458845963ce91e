import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { hashIdentity, type Identity, resolveIdentity } from './identity.ts';
import { ensureRuntimeDir } from './runtime-dir.ts';
import { unixSocketPath, windowsPipeName } from './socket-path.ts';

/** Where the processes of one identity find each other. */
export interface MeetingPoint {
  readonly identity: Identity;
  readonly folder: string;
  readonly hash: string;
  /** Locked by the owner for its whole life. */
  readonly lockPath: string;
  /** Names the owner's socket and holds its token. */
  readonly pointerPath: string;
  /** A new path each time: a closing owner removes its own socket, never its successor's. */
  newSocketPath(): string;
}

/** @throws {SharingError} when the runtime folder can't be trusted or its path is too long */
export async function meetingPoint(
  identity: Identity,
  env?: Readonly<Record<string, string | undefined>>,
): Promise<MeetingPoint> {
  const resolved = await resolveIdentity(identity);
  const folder = await ensureRuntimeDir(env);
  const hash = hashIdentity(resolved);
  const newSocketPath = () => {
    const unique = randomBytes(process.platform === 'win32' ? 16 : 4).toString('hex');
    return process.platform === 'win32'
      ? windowsPipeName(hash, unique)
      : unixSocketPath(folder, hash, unique);
  };
  // Tells a path that is too long at once, not when this process happens to be elected.
  newSocketPath();
  return {
    identity: resolved,
    folder,
    hash,
    lockPath: join(folder, `${hash}.lock`),
    pointerPath: join(folder, `${hash}.json`),
    newSocketPath,
  };
}
