import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { appDir, repoDir } from './app.ts';

/** Packages as they would be published. */
export interface Tarballs {
  readonly app: string;
  readonly sdk: string;
  readonly plugin: string;
}

/** Packs the app into `folder`. */
export async function packApp(folder: string): Promise<string> {
  return pnpmPack(folder, appDir);
}

/** Packs the app, the SDK and the example plugin into `folder`. */
export async function packAll(folder: string): Promise<Tarballs> {
  const npmPack = ['pack', '--json', '--pack-destination', folder];
  return {
    app: await packApp(folder),
    sdk: await pnpmPack(folder, join(repoDir, 'packages/plugin-sdk')),
    plugin: join(folder, await pack('npm', npmPack, join(repoDir, 'examples/word-count-plugin'))),
  };
}

async function pnpmPack(folder: string, cwd: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  return pack('npx', ['-y', 'pnpm@12', 'pack', '--json', '--pack-destination', folder], cwd);
}

/** Runs a pack command in a package's folder; the file name that it reports. */
async function pack(command: string, args: readonly string[], cwd: string): Promise<string> {
  const { stdout } = await execa(command, args, { cwd });
  // Scripts of the package may have printed before.
  const report = JSON.parse(stdout.slice(stdout.search(/^[[{]/m)));
  return [report].flat()[0].filename;
}

/** `npm install` in a folder, from npm's cache where it can. */
export async function npmInstall(folder: string, packages: readonly string[]): Promise<void> {
  await execa('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', ...packages], {
    cwd: folder,
  });
}

/** The manifest inside a tarball. */
export async function packedManifest(tarball: string): Promise<Record<string, Record<string, string>>> {
  const { stdout } = await execa('tar', ['-xOzf', tarball, 'package/package.json']);
  return JSON.parse(stdout);
}
