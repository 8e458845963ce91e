import type { Socket } from 'node:net';
import type { Log } from '@nexus/plugin-sdk';
import { openFilesLimit } from './open-files-limit.ts';

const SAY_AGAIN_MS = 60_000;

/**
 * Finds out whether one more connection leaves descriptors for the work of those that are in: programs, files, and
 * modules, which Node 20 never loads again once they could not be read. What finds no room is said in the log, at
 * most once a minute.
 * @param keptFree how many are left; no more than half of what the process may have
 * @returns what asks for a connection; `makeRoom` may give another’s up for it. Why it finds no room, with what to do; undefined where it does
 */
export function createDescriptorCheck(
  log: Log,
  keptFree: number,
  limitOf: () => number = openFilesLimit,
): (socket: Socket, makeRoom?: () => boolean) => string | undefined {
  let saidAt = -Infinity;
  return (socket, makeRoom) => {
    const limit = limitOf();
    if (descriptorOf(socket) < limit - Math.min(keptFree, limit / 2)) return undefined;
    if (makeRoom?.()) return undefined;
    const why = `the server may have ${limit} files open and keeps the last ${keptFree} for work; close clients, or raise its limit (ulimit -n) and restart it`;
    if (performance.now() - saidAt > SAY_AGAIN_MS) {
      saidAt = performance.now();
      log.error('connections are turned away', { reason: why });
    }
    return why;
  };
}

/** A system gives the lowest number that is free, so it tells how many are in use. -1 on Windows, which has no limit. */
function descriptorOf(socket: Socket): number {
  const { _handle: handle } = socket as unknown as { readonly _handle?: { readonly fd?: unknown } | null };
  return typeof handle?.fd === 'number' ? handle.fd : -1;
}
