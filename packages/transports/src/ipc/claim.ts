import { randomBytes } from 'node:crypto';
import { readdir, unlink, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { LocksUnsupportedError, tryLockFile } from '@nexus/locks';
import type { Log } from '@nexus/plugin-sdk';
import { type OwnerHandlers, openDoor } from './door.ts';
import type { MeetingPoint } from './meeting-point.ts';
import { removePointer, writePointer } from './pointer.ts';
import { SharingError } from './sharing-error.ts';

/** Folders for temporary files are swept of what is days old, and a new lock file would elect a second owner. */
const REFRESH_MS = 60 * 60 * 1000;

/** An owner that was stopped finds out at once that another has its place: its timers are overdue then. */
const LOOK_MS = 5_000;

/** The right to be the owner, held until released or the process ends. */
export interface Claim {
  /** Whether a process that hangs had it, which still has what else there is only one of. */
  readonly isSuccession: boolean;
  /** Lets the others in. Until then they wait, so call it when the server is ready to serve. */
  listen(handlers: OwnerHandlers): Promise<Owner>;
  /** Lets another process be elected. */
  release(): void;
}

export interface Owner {
  readonly socketPath: string;
  /** Resolves once another process is the owner, since this one hung. */
  readonly replaced: Promise<void>;
  /** Lets nobody in any more; sessions go on. The first step of a stop, so that no session comes too late. */
  retire(): Promise<void>;
  /** Disconnects whoever is still there, and lets another process be elected: the last step of a stop. */
  close(): Promise<void>;
}

/**
 * @returns undefined when another process is the owner, or about to be
 * @throws {SharingError} on a platform without file locks
 */
export async function tryClaim(
  point: MeetingPoint,
  log: Log,
  { isSuccession = false } = {},
): Promise<Claim | undefined> {
  const lock = await tryLockFile(point.lockPath).catch(unsupported);
  if (!lock) return undefined;
  return {
    isSuccession,
    release: () => lock.release(),
    async listen(handlers) {
      const token = randomBytes(32).toString('hex');
      const socketPath = point.newSocketPath();
      const door = await openDoor({ socketPath, token, identity: point.identity, log, ...handlers });
      try {
        await writePointer(point.pointerPath, {
          socketPath,
          token,
          pid: process.pid,
          identity: point.identity,
        });
        await removeDebris(point, socketPath);
      } catch (error) {
        door.shut();
        await door.disconnect();
        throw error;
      }
      const refresh = setInterval(() => void keepFresh(point), REFRESH_MS).unref();
      let tellReplaced = () => {};
      const replaced = new Promise<void>((resolve) => {
        tellReplaced = resolve;
      });
      const watch = setInterval(() => {
        if (lock.isValid()) return;
        log.warn(
          'this process hung, and another serves the project: what is left to it are its own host and its port',
        );
        stand();
        void door.disconnect();
        tellReplaced();
      }, LOOK_MS).unref();
      /** Lets nobody in any more. */
      const stand = () => {
        clearInterval(refresh);
        clearInterval(watch);
        door.shut();
      };
      const retire = async () => {
        // Another's is left to it.
        if (lock.isValid()) await removePointer(point.pointerPath);
        stand();
      };
      return {
        socketPath,
        replaced,
        retire,
        async close() {
          await retire();
          await door.disconnect();
          lock.release();
        },
      };
    },
  };
}

async function keepFresh({ lockPath, pointerPath }: MeetingPoint): Promise<void> {
  const now = new Date();
  await Promise.allSettled([lockPath, pointerPath].map((path) => utimes(path, now, now)));
}

/** Sockets of owners that were killed; only the holder of the lock may judge that they are dead. */
async function removeDebris({ folder, hash }: MeetingPoint, socketPath: string): Promise<void> {
  const sockets = (await readdir(folder))
    .filter((name) => name.startsWith(`${hash}.`) && name.endsWith('.sock'))
    .map((name) => join(folder, name));
  // Not `rm`: it stats the socket first, and after that Node 20 resolves no symlink for modules it imports
  // (realpathSync takes the last stat of anything for that of a cached folder).
  const debris = sockets.filter((path) => path !== socketPath);
  await Promise.allSettled(debris.map((path) => unlink(path)));
}

function unsupported(error: unknown): never {
  if (!(error instanceof LocksUnsupportedError)) throw error;
  throw new SharingError(`Sharing needs file locks, and ${error.message}. Use --standalone.`, error);
}
