import { createHash } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';

/** Processes with an equal identity share one server; any difference, and they never meet. */
export interface Identity {
  readonly projectRoot: string;
  readonly configPath?: string | undefined;
  readonly dataDir: string;
  /** Differs between any two builds that could serve differently. */
  readonly buildId: string;
}

/** The identity by real paths, so that two ways to the same folder are one. */
export async function resolveIdentity(identity: Identity): Promise<Identity> {
  const { projectRoot, configPath, dataDir, buildId } = identity;
  return {
    projectRoot: await realPath(projectRoot),
    configPath: configPath === undefined ? undefined : await realPath(configPath),
    dataDir: await realPath(dataDir),
    buildId,
  };
}

/** Sixteen hexadecimal digits: short, since a socket's path may have 103 bytes in all. */
export function hashIdentity({ projectRoot, configPath, dataDir, buildId }: Identity): string {
  const text = JSON.stringify([projectRoot, configPath ?? null, dataDir, buildId]);
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

/** A data directory that is not there yet is known by its name. */
function realPath(path: string): Promise<string> {
  return realpath(path).catch(() => resolve(path));
}
