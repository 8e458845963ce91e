import { existsSync } from 'node:fs';
import { cp, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { execa } from 'execa';
import { ownEnvironment } from '../workspace/own-environment.ts';

/** Installs an app in a folder of its own, as npm does. @returns its command */
export async function installApp(tarball: string, folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  await execa(
    'npm',
    ['install', '--no-audit', '--no-fund', '--prefer-offline', '--prefix', folder, tarball],
    {
      cwd: folder,
    },
  );
  return join(folder, 'node_modules/nexus-mcp/bin/nexus.js');
}

/** Packs the app as it was at a commit, from a copy of that; @returns the tarball, of which one is kept in `cache`. */
export async function packOlder(root: string, commit: string, cache: string): Promise<string> {
  const kept = join(cache, `${commit}.tgz`);
  if (existsSync(kept)) return kept;
  const copy = join(cache, `${commit}-source`);
  await mkdir(copy, { recursive: true });
  const archive = execa('git', ['archive', commit], { cwd: root, encoding: 'buffer' });
  await execa('tar', ['x', '-C', copy], { input: (await archive).stdout });
  await execa('git', ['init', '--quiet'], { cwd: copy });
  const env = ownEnvironment(root, process.env);
  const pnpm = (...args: string[]) =>
    execa('npx', ['-y', 'pnpm@12', ...args], { cwd: copy, env, extendEnv: false });
  await pnpm('install', '--frozen-lockfile', '--prefer-offline');
  await pnpm('pack:app');
  const [made = ''] = (await readdir(copy)).filter((name) => name.endsWith('.tgz'));
  await cp(join(copy, made), kept);
  return kept;
}
