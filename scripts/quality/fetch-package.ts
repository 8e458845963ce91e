import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { type PackageName, packages } from './cases/packages.ts';

const run = promisify(execFile);

/** Outside the repository: nothing of the packages is copied into it. */
const CACHE = join(homedir(), '.cache', 'nexus-quality', 'packages');

/** A package as it is wanted, and nothing else. */
export interface PinnedPackage {
  readonly name: string;
  readonly version: string;
  /** Of the tarball, as the registry's lock files have it. */
  readonly integrity: string;
}

/** The files of a package of {@link packages}, as {@link fetchPackage} gets them. */
export async function filesOf(name: PackageName): Promise<Readonly<Record<string, string>>> {
  return textsIn(await fetchPackage({ name, ...packages[name] }));
}

/**
 * The folder of a package as npm serves it, fetched by the npm client without running anything of it, once.
 * @throws where npm can't be reached, or serves something else than is pinned
 */
export async function fetchPackage({ name, version, integrity }: PinnedPackage): Promise<string> {
  const folder = join(CACHE, `${name}@${version}`);
  if (!existsSync(folder)) await install(`${name}@${version}`, folder);
  const lock = JSON.parse(await readFile(join(folder, 'package-lock.json'), 'utf8'));
  const served = lock.packages[`node_modules/${name}`]?.integrity;
  if (served !== integrity)
    throw new Error(`${name}@${version} is not what is pinned: ${served} in the place of ${integrity}`);
  return join(folder, 'node_modules', name);
}

/** Beside, then in its place, so that a fetch that was cut off leaves nothing that is taken for whole. */
async function install(spec: string, folder: string): Promise<void> {
  const beside = `${folder}.${process.pid}`;
  await mkdir(beside, { recursive: true });
  try {
    await writeFile(join(beside, 'package.json'), '{ "private": true }');
    const quietly = [
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      '--save-exact',
      '--package-lock=true',
      '--fetch-retries=1',
    ];
    const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
    await run(npm, ['install', ...quietly, spec], { cwd: beside, timeout: 120_000 });
    await rename(beside, folder);
  } finally {
    await rm(beside, { recursive: true, force: true });
  }
}

async function textsIn(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const texts = await Promise.all(
    files.map(async (file) => [relative(folder, file), await readFile(file, 'utf8')] as const),
  );
  return Object.fromEntries(texts);
}
