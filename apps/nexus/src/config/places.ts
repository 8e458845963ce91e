import { createHash } from 'node:crypto';
import { basename, join, resolve } from 'node:path';
import envPaths from 'env-paths';

/** As the environment says now. */
const paths = () => envPaths('nexus', { suffix: '' });

export function userConfigDir(): string {
  return paths().config;
}

/** The platform's state directory, which no project's config can name. */
export function stateDir(): string {
  return process.platform === 'linux' ? paths().log : paths().data;
}

/**
 * Where durable state goes: `NEXUS_DATA_DIR`, else a folder for this project in the platform's state
 * directory (`~/.local/state/nexus`, `~/Library/Application Support/nexus`, `%LOCALAPPDATA%\nexus\Data`).
 */
export function dataDir(projectRoot: string, explicit: string | undefined): string {
  if (explicit) return resolve(explicit);
  const hash = createHash('sha256').update(projectRoot).digest('hex').slice(0, 8);
  return join(stateDir(), 'projects', `${basename(projectRoot) || 'root'}-${hash}`);
}
