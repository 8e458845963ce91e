import { realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { runtimeDirPath } from '@nexus/transports/ipc';
import { auditKeyFile } from '../audit/trail-parts.ts';
import { stateDir } from '../config/places.ts';
import type { LoadedConfig } from '../loaded-config/load-config.ts';

/**
 * What is Nexus's own, of this project and of every other: data directories with their tokens and databases, the
 * folder of sockets, the keys of the HTTP server and of the audit trail. As real paths, since that is how tools compare.
 */
export async function privatePaths(loaded: LoadedConfig): Promise<readonly string[]> {
  const { dataDir, config, configFile, projectRoot } = loaded;
  const { tls } = config.http;
  const folder = configFile ? dirname(configFile) : projectRoot;
  const keys = [auditKeyFile(loaded), ...(tls ? [resolve(folder, tls.keyFile)] : [])];
  const real = await Promise.all([dataDir, stateDir(), await runtimeDirPath(), ...keys].map(realPath));
  return [...new Set(real)];
}

/** Of what is not there yet, where it will be. */
async function realPath(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(await realPath(parent), basename(path));
  }
}
