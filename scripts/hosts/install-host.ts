import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { RealHost } from './real-host.ts';

const INSTALL_MS = 600_000;

export interface InstalledHost {
  readonly program: string;
  readonly version: string;
}

/**
 * Installs a host from npm into a folder of its own, once; the newest that runs on this Node.js.
 * @throws what npm said
 */
export async function installHost(host: RealHost, cache: string): Promise<InstalledHost> {
  const cwd = join(cache, host.program);
  const program = join(cwd, 'node_modules', '.bin', host.program);
  if (!existsSync(program)) {
    await mkdir(cwd, { recursive: true });
    await writeFile(join(cwd, 'package.json'), '{"private":true}\n');
    await promisify(execFile)('npm', ['install', '--no-audit', '--no-fund', host.packageName], {
      cwd,
      timeout: INSTALL_MS,
    });
  }
  const manifest = join(cwd, 'node_modules', host.packageName, 'package.json');
  return { program, version: JSON.parse(await readFile(manifest, 'utf8')).version };
}
