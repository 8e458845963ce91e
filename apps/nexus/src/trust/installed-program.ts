import { join } from 'node:path';
import { isRecord } from '@nexus/core';
import { described, isPackageName, upward } from './package-files.ts';

/** Where a program of a package is looked for before the registry is asked; some of it may not be there. */
interface InstalledProgram {
  readonly files: readonly string[];
  /** Those of them that are run. */
  readonly run: readonly string[];
  /** False where it is named by something else than its package: a folder, a repository. */
  readonly isCertain: boolean;
}

/** @param name of a package or of a program that one brings, as `npx` is given it */
export function installedProgram(name: string, from: string): InstalledProgram {
  if (!isPackageName(name)) return { files: [], run: [], isCertain: false };
  const found = upward(from).map((folder) => {
    const modules = join(folder, 'node_modules');
    const own = join(modules, name);
    const manifest = join(own, 'package.json');
    const commands = [...new Set([name, name.replace(/^.*\//, '')])].map((each) =>
      join(modules, '.bin', each),
    );
    const programs = [...commands, ...binsOf(manifest).map((file) => join(own, file))];
    return { files: [manifest, ...programs], run: programs };
  });
  return {
    files: found.flatMap(({ files }) => files),
    run: found.flatMap(({ run }) => run),
    isCertain: true,
  };
}

function binsOf(manifest: string): string[] {
  const bin = described(manifest)?.bin;
  const written = isRecord(bin) ? Object.values(bin) : [bin];
  return written.filter((file) => typeof file === 'string');
}
