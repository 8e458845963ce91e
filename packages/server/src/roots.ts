import { realpath } from 'node:fs/promises';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { endsWithin, isLate, isRecord } from '@nexus/core';
import type { Log, Root } from '@nexus/plugin-sdk';
import { isInside } from '@nexus/primitives';
import type { AskedClient } from './client-requests.ts';

/** How long a client may take to name its roots before a call goes on without them. */
const ROOTS_TIMEOUT_MS = 5_000;

/** Each is looked up on disk. */
const MAX_ROOTS = 100;

type RootsClient = Pick<AskedClient, 'peer' | 'trust' | 'capabilities'>;

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
export function createRoots(client: RootsClient, projectRoot: Root, log: Log): SessionRoots {
  let asked: Promise<readonly Root[]> | undefined;
  const ask = async (forget: () => void) => {
    if (!client.capabilities().roots) return [projectRoot];
    try {
      const resolved = await toRoots(await listRoots(client, log));
      if (client.trust === 'network') return narrowed(projectRoot, resolved);
      return [projectRoot, ...resolved.filter(({ path }) => path !== projectRoot.path)];
    } catch (error) {
      log.warn('the client declares roots and did not name them', { err: error });
      // Who was busy is asked again by the next call; who refused stays as it is until it says otherwise.
      if (isLate(error)) forget();
      return [projectRoot];
    }
  };
  return {
    list() {
      if (asked) return asked;
      const asking: Promise<readonly Root[]> = ask(() => {
        if (asked === asking) asked = undefined;
      });
      asked = asking;
      return asking;
    },
    changed() {
      asked = undefined;
    },
  };
}

/** Folders inside of the project stand for it, unless one holds it whole; whatever else is named changes nothing. */
function narrowed(projectRoot: Root, roots: readonly Root[]): readonly Root[] {
  if (roots.some(({ path }) => isInside({ path: projectRoot.path, folder: path }))) return [projectRoot];
  const inside = roots.filter(({ path }) => isInside({ path: path, folder: projectRoot.path }));
  return inside.length === 0 ? [projectRoot] : inside;
}

async function listRoots({ peer }: RootsClient, log: Log): Promise<readonly unknown[]> {
  const { roots } = await peer.request('roots/list', undefined, { signal: endsWithin(ROOTS_TIMEOUT_MS) });
  if (!Array.isArray(roots)) throw new Error('its answer has no list "roots"');
  if (roots.length <= MAX_ROOTS) return roots;
  log.warn(
    `the client names ${roots.length} roots, and the first ${MAX_ROOTS} are taken; have it name a folder above them`,
  );
  return roots.slice(0, MAX_ROOTS);
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
