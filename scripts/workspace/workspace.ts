import { posix } from 'node:path';
import { z } from 'zod';

const Names = z.record(z.string(), z.string()).optional();

/** What is read of a package.json; the rest is kept, so that checks can ask for any field. */
const Manifest = z.looseObject({
  name: z.string(),
  private: z.boolean().optional(),
  scripts: Names,
  dependencies: Names,
  devDependencies: Names,
  peerDependencies: Names,
  optionalDependencies: Names,
});

export interface Package {
  /** Relative to the root, with `/`: `packages/plugins/memory`. */
  readonly folder: string;
  readonly manifest: z.output<typeof Manifest>;
}

/** The repository as checks see it: paths are relative to the root, with `/` on every platform. */
export interface Workspace {
  readonly root: string;
  /** Every file that git tracks or would track, sorted. */
  readonly files: readonly string[];
  readonly packages: readonly Package[];
  read(file: string): string;
}

export function createWorkspace(
  root: string,
  files: readonly string[],
  read: (file: string) => string,
): Workspace {
  const packages = files
    .filter((file) => file.endsWith('/package.json') && !file.includes('/fixtures/'))
    .map((file) => ({ folder: posix.dirname(file), manifest: Manifest.parse(JSON.parse(read(file))) }));
  return { root, files: [...files].sort(), packages, read };
}
