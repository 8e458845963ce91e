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
  await copyAt(root, commit, copy);
  const env = ownEnvironment(root, process.env);
  const pnpm = (...args: string[]) =>
    execa('npx', ['-y', 'pnpm@12', ...args], { cwd: copy, env, extendEnv: false });
  await pnpm('install', '--frozen-lockfile', '--prefer-offline');
  await pnpm('pack:app');
  const [made = ''] = (await readdir(copy)).filter((name) => name.endsWith('.tgz'));
  await cp(join(copy, made), kept);
  return kept;
}

/**
 * A repository of its own with the files of a commit, all of them committed: of those that git does not have, Turborepo
 * looks for what they are made of by itself, in `node_modules` too, whose links lead round in circles.
 */
export async function copyAt(root: string, commit: string, copy: string): Promise<void> {
  await mkdir(copy, { recursive: true });
  const archive = execa('git', ['archive', commit], { cwd: root, encoding: 'buffer' });
  await execa('tar', ['x', '-C', copy], { input: (await archive).stdout });
  const git = (...args: string[]) => execa('git', [...AUTHOR, ...args], { cwd: copy });
  await git('init', '--quiet');
  await git('add', '--all');
  await git('commit', '--quiet', '--no-verify', '--allow-empty', '--message', `As it was at ${commit}`);
}

const AUTHOR = ['-c', 'user.name=Nexus', '-c', 'user.email=nexus@localhost'];
