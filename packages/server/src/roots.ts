import { realpath } from 'node:fs/promises';
import { basename, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { endsWithin, isLate, isRecord, nothingOf } from '@nexus/core';
import type { Log, Root } from '@nexus/plugin-sdk';
import { isInside } from '@nexus/primitives';
import type { AskedClient } from './client-requests.ts';

/** How long a client may take to name its roots before a call goes on without them. */
const ROOTS_TIMEOUT_MS = 5_000;

/** Each is looked up on disk. */
const MAX_ROOTS = 100;

type RootsClient = Pick<AskedClient, 'peer' | 'trust' | 'capabilities'>;

export interface SessionRoots {
  /** @throws {ToolError} NEXUS_OUTSIDE_ROOTS where the client narrowed them to nothing of the project */
  list(): Promise<readonly Root[]>;
  /** What servers behind are told: none in the place of that error. */
  told(): Promise<readonly Root[]>;
  /** As `Caller.narrowed`. */
  narrowed(): Promise<readonly string[] | undefined>;
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
      const there = resolved.filter(({ path, isThere }) => isThere && path !== projectRoot.path);
      return [projectRoot, ...there.map(({ path, name }) => ({ path, name }))];
    } catch (error) {
      log.warn('the client declares roots and did not name them', { err: error });
      // Who was busy is asked again by the next call; who refused stays as it is until it says otherwise.
      if (isLate(error)) forget();
      return [projectRoot];
    }
  };
  const told = () => {
    if (asked) return asked;
    const asking: Promise<readonly Root[]> = ask(() => {
      if (asked === asking) asked = undefined;
    });
    asked = asking;
    return asking;
  };
  return {
    told,
    async list() {
      const roots = await told();
      if (roots.length === 0) throw nothingOf(projectRoot);
      return roots;
    },
    async narrowed() {
      const paths = (await told()).map(({ path }) => relative(projectRoot.path, path));
      return paths.includes('') ? undefined : paths;
    },
    changed() {
      asked = undefined;
    },
  };
}

/**
 * Folders inside of the project stand for it, unless one holds it whole. What is not on this machine says nothing of
 * it, as the paths of a client elsewhere do; what is here, and outside, narrows it to nothing.
 */
function narrowed(projectRoot: Root, roots: readonly NamedRoot[]): readonly Root[] {
  const { path: project } = projectRoot;
  if (roots.some(({ path, isThere }) => isThere && isInside({ path: project, folder: path })))
    return [projectRoot];
  const isIn = ({ path }: NamedRoot) => isInside({ path, folder: project });
  const meant = roots.filter((root) => root.isThere || isIn(root));
  if (meant.length === 0) return [projectRoot];
  return meant.filter((root) => root.isThere && isIn(root)).map(({ path, name }) => ({ path, name }));
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

interface NamedRoot extends Root {
  /** On this machine; only then is its path a real one. */
  readonly isThere: boolean;
}

/** What is no `file:` URI is left out. */
async function toRoots(roots: readonly unknown[]): Promise<NamedRoot[]> {
  const resolved = await Promise.all(
    roots.map(async (root) => {
      if (!isRecord(root) || typeof root.uri !== 'string') return [];
      const named = pathOf(root.uri);
      if (named === undefined) return [];
      const path = await realpath(named).catch(() => undefined);
      const name = typeof root.name === 'string' ? root.name : basename(path ?? named);
      return [{ path: path ?? named, name, isThere: path !== undefined }];
    }),
  );
  return resolved.flat();
}

function pathOf(uri: string): string | undefined {
  try {
    return fileURLToPath(uri);
  } catch {
    return undefined;
  }
}
