import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import type { Log } from '@nexus/plugin-sdk';

/** Below this number the limit isn't asked for: no system gives a process fewer. */
const PLENTY = 160;
/** What programs, files and modules need while every connection that is let in stays. */
const KEPT_FREE = 64;
const SAY_AGAIN_MS = 60_000;

/**
 * Whether one more connection leaves descriptors for the work of those that are in: programs, files, and modules,
 * which Node 20 never loads again once they could not be read. What is turned away is said in the log, at most
 * once a minute.
 */
export function createDescriptorCheck(log: Log): (socket: Socket) => boolean {
  let saidAt = -Infinity;
  return (socket) => {
    const descriptor = descriptorOf(socket);
    if (descriptor < PLENTY) return true;
    const limit = openFilesLimit();
    if (descriptor < limit - KEPT_FREE) return true;
    if (performance.now() - saidAt > SAY_AGAIN_MS) {
      saidAt = performance.now();
      log.error('connections are turned away: the rest of the files that this process may open is for work', {
        limit,
        keptFree: KEPT_FREE,
        fix: 'close clients, or raise the limit of open files (ulimit -n) for the server and restart it',
      });
    }
    return false;
  };
}

/** A system gives the lowest number that is free, so it tells how many are in use. -1 on Windows, which has no limit. */
function descriptorOf(socket: Socket): number {
  const { _handle: handle } = socket as unknown as { readonly _handle?: { readonly fd?: unknown } | null };
  return typeof handle?.fd === 'number' ? handle.fd : -1;
}

let known: number | undefined;

/** Of this process; Node has raised it as far as it may when it began. */
export function openFilesLimit(): number {
  known ??= readLimit();
  return known;
}

function readLimit(): number {
  try {
    const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    if (soft !== undefined) return Number(soft);
  } catch {}
  // Elsewhere than on Linux. Without this it would ask for the name of every peer.
  const report = process.report as typeof process.report & { excludeNetwork?: boolean };
  report.excludeNetwork = true;
  const { userLimits } = report.getReport() as {
    readonly userLimits?: { readonly open_files?: { readonly soft?: unknown } };
  };
  const soft = userLimits?.open_files?.soft;
  return typeof soft === 'number' ? soft : Infinity;
}
