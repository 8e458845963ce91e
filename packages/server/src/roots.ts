import { realpath } from 'node:fs/promises';
import { basename, isAbsolute, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isRecord, RequestEnd } from '@nexus/core';
import type { Log, Root } from '@nexus/plugin-sdk';
import type { AskedClient } from './client-requests.ts';

/** How long a client may take to name its roots before a call goes on without them. */
const ROOTS_TIMEOUT_MS = 5_000;

/** Each is looked up on disk. */
const MAX_ROOTS = 100;

export interface SessionRoots {
  list(): Promise<readonly Root[]>;
  /** The client says that they are others now. */
  changed(): void;
}

/**
 * What tools may read, by the client's roots (MCP 2025-11-25, Roots), asked for once and again after the client
 * says that they changed. A client that runs as this user adds to the project root; one that came by the network
 * can only name parts of it. A client that fails to answer leaves the project root alone.
 */
export function createRoots(client: AskedClient, projectRoot: Root, log: Log): SessionRoots {
  let asked: Promise<readonly Root[]> | undefined;
  const ask = async () => {
    if (!client.capabilities().roots) return [projectRoot];
    try {
      const resolved = await toRoots(await listRoots(client));
      if (client.trust === 'network') return narrowed(projectRoot, resolved);
      return [projectRoot, ...resolved.filter(({ path }) => path !== projectRoot.path)];
    } catch (error) {
      log.warn('the client declares roots and did not name them', { err: error });
      return [projectRoot];
    }
  };
  return {
    list() {
      asked ??= ask();
      return asked;
    },
    changed() {
      asked = undefined;
    },
  };
}

/** Folders inside of the project stand for it, unless one holds it whole; whatever else is named changes nothing. */
function narrowed(projectRoot: Root, roots: readonly Root[]): readonly Root[] {
  if (roots.some(({ path }) => isInside(path, projectRoot.path))) return [projectRoot];
  const inside = roots.filter(({ path }) => isInside(projectRoot.path, path));
  return inside.length === 0 ? [projectRoot] : inside;
}

/** Whether `path` is `folder` or lies below it; both real paths. */
function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

async function listRoots({ peer }: AskedClient): Promise<readonly unknown[]> {
  const end = new RequestEnd();
  const timer = setTimeout(
    () => end.end(new Error(`no answer within ${ROOTS_TIMEOUT_MS} ms`)),
    ROOTS_TIMEOUT_MS,
  );
  try {
    const { roots } = await peer.request('roots/list', undefined, { signal: end });
    if (!Array.isArray(roots)) throw new Error('its answer has no list "roots"');
    if (roots.length > MAX_ROOTS)
      throw new Error(`it names ${roots.length} roots; at most ${MAX_ROOTS} are taken`);
    return roots;
  } finally {
    clearTimeout(timer);
  }
}

/** Roots as real paths; what is no `file:` URI of something that exists is left out. */
async function toRoots(roots: readonly unknown[]): Promise<Root[]> {
  const resolved = await Promise.all(
    roots.map(async (root) => {
      if (!isRecord(root) || typeof root.uri !== 'string') return [];
      try {
        const path = await realpath(fileURLToPath(root.uri));
        return [{ path, name: typeof root.name === 'string' ? root.name : basename(path) }];
      } catch {
        return [];
      }
    }),
  );
  return resolved.flat();
}
