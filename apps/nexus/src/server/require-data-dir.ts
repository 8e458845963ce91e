import { accessSync, constants, existsSync, mkdirSync, opendirSync } from 'node:fs';
import { dirname } from 'node:path';
import { ConfigError } from '../config/config-fault.ts';
import { recordDataDir } from '../state/data-dir-record.ts';
import { keepPrivate } from '../state/keep-private.ts';

/**
 * Sees that durable state can be kept, and by nobody else be read, before anything needs it.
 * @throws {ConfigError} naming the folder and what is wrong with it
 */
export function requireDataDir(dataDir: string): void {
  try {
    makeFolders(dataDir);
    // What is no folder is told by its code, as the other ways to fail are.
    opendirSync(dataDir).closeSync();
    accessSync(dataDir, constants.R_OK | constants.W_OK);
    recordDataDir(dataDir);
  } catch (error) {
    throw fault(
      `${dataDir} can't be written (${(error as NodeJS.ErrnoException).code}); name a folder that can`,
    );
  }
  try {
    keepPrivate(dataDir);
  } catch (error) {
    throw fault((error as Error).message);
  }
}

function fault(message: string): ConfigError {
  return new ConfigError('the environment', [{ path: 'NEXUS_DATA_DIR', message }]);
}

/** One by one: Node's own recursive way never ends where a folder is there and takes no other, such as /proc. */
function makeFolders(folder: string): void {
  const missing: string[] = [];
  for (let at = folder; !existsSync(at); at = dirname(at)) missing.unshift(at);
  for (const each of missing) {
    // Another process may have been quicker.
    if (!existsSync(each)) mkdirSync(each, { mode: 0o700 });
  }
}
