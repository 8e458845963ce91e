import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** What others do this with, as one installs it from npm. */
const PEERS = {
  '@standardbeagle/slop-mcp': '0.15.0',
  'mcp-hub': '4.2.1',
  'mcp-proxy': '6.7.19',
  supergateway: '4.0.0',
} as const;

const FOLDER = fileURLToPath(new URL('../../../node_modules/.cache/nexus-bench', import.meta.url));

/**
 * Installs the peers once, outside the workspace: only the bench needs them.
 * @returns the path of a file of one of the packages
 */
export function installPeers(): (name: keyof typeof PEERS, file: string) => string {
  mkdirSync(FOLDER, { recursive: true });
  const missing = Object.keys(PEERS).some((name) => !existsSync(join(FOLDER, 'node_modules', name)));
  if (missing) {
    writeFileSync(join(FOLDER, 'package.json'), JSON.stringify({ private: true, dependencies: PEERS }));
    execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund'], {
      cwd: FOLDER,
      stdio: ['ignore', 'ignore', 'inherit'],
      shell: process.platform === 'win32',
    });
  }
  return (name, file) => join(FOLDER, 'node_modules', name, file);
}
