import { realpath, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type CallContext, ToolError } from '@nexus/plugin-sdk';
import { isInside, isOfGit } from '@nexus/primitives';

export interface ProjectFile {
  /** As the caller wrote it. */
  readonly shown: string;
  readonly path: string;
  readonly bytes: number;
}

/**
 * A file that a caller named: absolute, or relative to the first root that has it, its real path inside a root.
 * @throws {ToolError} NEXUS_NOT_FOUND, NEXUS_OUTSIDE_ROOTS, NEXUS_TOO_LARGE
 */
export async function projectFile(
  typed: string,
  { roots, host }: Pick<CallContext, 'roots' | 'host'>,
): Promise<ProjectFile> {
  const within = await roots();
  for (const root of within) {
    const path = await realpath(resolve(root.path, typed)).catch(() => undefined);
    if (path === undefined) continue;
    const isOwn = host.privatePaths.some((own) => isInside({ path, folder: own }));
    if (
      isOwn ||
      isOfGit({ path, folder: host.projectRoot }) ||
      !within.some(({ path: folder }) => isInside({ path, folder }))
    ) {
      throw new ToolError(
        'NEXUS_OUTSIDE_ROOTS',
        `${typed} lies outside the roots (${within.map((each) => each.path).join(', ')}) once symlinks are resolved. Name a file inside.`,
      );
    }
    const stats = await stat(path);
    if (stats.isFile()) return { shown: typed, path, bytes: stats.size };
    throw new ToolError('NEXUS_FILE_UNREADABLE', `${typed} is no regular file.`);
  }
  throw new ToolError('NEXUS_NOT_FOUND', `There is no file ${typed} in the project.`);
}
