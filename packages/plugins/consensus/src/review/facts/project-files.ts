import { readFile, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Host } from '@nexus/plugin-sdk';
import { isInside, isOfGit } from '@nexus/primitives';
import { reviewedFiles } from '../diff/open-diff.ts';
import type { DiffFile } from '../diff/parse-diff.ts';

/** Larger ones are no source. */
const MAX_BYTES = 4_000_000;

type Places = Pick<Host, 'projectRoot' | 'privatePaths'>;

/** Which files of a diff stand in the project as the diff leaves them: what is looked up there is about them. */
export async function filesInProject({
  diff,
  ...host
}: Places & { readonly diff: string }): Promise<string[]> {
  const found: string[] = [];
  for (const file of reviewedFiles(diff)) {
    if (!file.isDeleted && (await standsThere(file, host))) found.push(file.path);
  }
  return found;
}

async function standsThere(
  { path, hunks }: DiffFile,
  { projectRoot, privatePaths }: Places,
): Promise<boolean> {
  try {
    const real = await realpath(join(projectRoot, path));
    const isIn = (folder: string) => isInside({ path: real, folder });
    if (!isIn(projectRoot) || privatePaths.some(isIn)) return false;
    if (isOfGit({ path: real, folder: projectRoot })) return false;
    const found = await stat(real);
    if (!found.isFile() || found.size > MAX_BYTES) return false;
    const lines = (await readFile(real, 'utf8')).split(/\r?\n/);
    return hunks.flat().every(({ line, text }) => line === undefined || lines[line - 1] === text);
  } catch (error) {
    if (error instanceof Error && 'code' in error) return false; // not there, or not to be read
    throw error;
  }
}
