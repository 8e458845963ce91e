import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const CACHE = fileURLToPath(new URL('../../node_modules/.cache/', import.meta.url));

export interface Peers<Name extends string> {
  /** Of the cache, so that each set of peers has its own. */
  readonly folder: string;
  readonly versions: Readonly<Record<Name, string>>;
  /** Whether one of them builds, or fetches, a part that is not JavaScript. */
  readonly hasNativeParts?: boolean;
}

/**
 * Installs packages once, outside the workspace: only the bench needs them.
 * @returns the path of a file of one of the packages
 */
export function installPeers<Name extends string>({
  folder,
  versions,
  hasNativeParts = false,
}: Peers<Name>): (name: Name, file: string) => string {
  const cwd = join(CACHE, folder);
  mkdirSync(cwd, { recursive: true });
  const missing = Object.keys(versions).some((name) => !existsSync(join(cwd, 'node_modules', name)));
  if (missing) {
    writeFileSync(join(cwd, 'package.json'), JSON.stringify({ private: true, dependencies: versions }));
    const scripts = hasNativeParts ? [] : ['--ignore-scripts'];
    execFileSync('npm', ['install', ...scripts, '--legacy-peer-deps', '--no-audit', '--no-fund'], {
      cwd,
      stdio: ['ignore', 'ignore', 'inherit'],
      shell: process.platform === 'win32',
    });
  }
  return (name, file) => join(cwd, 'node_modules', name, file);
}
