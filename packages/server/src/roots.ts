import { realpath } from 'node:fs/promises';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { RootsListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import type { Log, Root } from '@nexus/plugin-sdk';

/** How long a client may take to name its roots before a call goes on without them. */
const ROOTS_TIMEOUT_MS = 5_000;

/**
 * The project root, then the client's roots (MCP 2025-11-25, Roots), asked for once and again after the
 * client says that they changed. A client that fails to answer leaves the project root alone.
 */
export function createRoots(server: Server, projectRoot: Root, log: Log): () => Promise<readonly Root[]> {
  let asked: Promise<readonly Root[]> | undefined;
  server.setNotificationHandler(RootsListChangedNotificationSchema, () => {
    asked = undefined;
  });
  const ask = async () => {
    if (!server.getClientCapabilities()?.roots) return [projectRoot];
    try {
      const { roots } = await server.listRoots(undefined, { timeout: ROOTS_TIMEOUT_MS });
      const resolved = await toRoots(roots);
      return [projectRoot, ...resolved.filter(({ path }) => path !== projectRoot.path)];
    } catch (error) {
      log.warn('the client declares roots and did not name them', { err: error });
      return [projectRoot];
    }
  };
  return () => {
    asked ??= ask();
    return asked;
  };
}

/** Roots as real paths; what is no `file:` URI of something that exists is left out. */
async function toRoots(roots: readonly { uri: string; name?: string | undefined }[]): Promise<Root[]> {
  const resolved = await Promise.all(
    roots.map(async ({ uri, name }) => {
      try {
        const path = await realpath(fileURLToPath(uri));
        return [{ path, name: name ?? basename(path) }];
      } catch {
        return [];
      }
    }),
  );
  return resolved.flat();
}
