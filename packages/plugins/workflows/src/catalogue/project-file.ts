import { constants } from 'node:fs';
import { open, realpath } from 'node:fs/promises';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { type Host, ToolError } from '@nexus/plugin-sdk';
import { isInside, isOfGit } from '@nexus/primitives';

/** Larger, and it is no workflow that anybody wrote. */
const MAX_FILE_BYTES = 256 * 1024;

export const FOLDER = '.nexus/workflows';

/** A pipe in the place of a file would else hold whoever opens it. Windows has no such flag, and no such pipes. */
const READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

export interface ProjectFile {
  /** Relative to the project, with `/`. */
  readonly file: string;
  /** Where it is, wherever symlinks led. */
  readonly real: string;
  readonly text: string;
}

/**
 * The text of a file of the project, wherever symlinks lead.
 * @param isReadable by whoever asks: of what else lies in the project nothing is told
 * @throws {ToolError} NEXUS_OUTSIDE_ROOTS, NEXUS_NOT_FOUND, NEXUS_FILE_UNREADABLE
 */
export async function readProjectFile(
  { projectRoot, privatePaths }: Pick<Host, 'projectRoot' | 'privatePaths'>,
  path: string,
  isReadable: (absolute: string) => boolean,
): Promise<ProjectFile> {
  const assertInside = (absolute: string) => {
    if (!isInside({ path: resolve(absolute), folder: projectRoot }))
      throw outside(path, 'lies outside the project');
    if (!isReadable(resolve(absolute))) throw outside(path, 'lies outside the roots that this client names');
  };
  const asked = placeOf(path, projectRoot);
  assertInside(asked);
  const real = await realpath(asked).catch(() => {
    throw new ToolError('NEXUS_NOT_FOUND', `There is no file "${path}" in the project.`, {
      detail: { path },
    });
  });
  assertInside(real);
  if (privatePaths.some((own) => isInside({ path: real, folder: own })))
    throw outside(path, 'is Nexus’s own');
  if (isOfGit({ path: real, folder: projectRoot })) throw outside(path, 'is git’s own');
  const handle = await open(real, READ).catch((error: unknown) => {
    throw unreadable(path, (error as NodeJS.ErrnoException).code ?? String(error));
  });
  try {
    const found = await handle.stat();
    if (!found.isFile()) throw unreadable(path, 'it is no file');
    if (found.size > MAX_FILE_BYTES) {
      throw unreadable(path, `it has ${found.size} bytes, and a workflow at most ${MAX_FILE_BYTES}`);
    }
    const text = new TextDecoder('utf-8', { fatal: true }).decode(await handle.readFile());
    return { file: fileOf({ projectRoot }, path), real, text };
  } catch (error) {
    if (error instanceof ToolError) throw error;
    throw unreadable(path, 'it is no UTF-8 text');
  } finally {
    await handle.close();
  }
}

/** Relative to the project, with `/`. */
export function fileOf({ projectRoot }: Pick<Host, 'projectRoot'>, path: string): string {
  return relative(projectRoot, placeOf(path, projectRoot)).split(sep).join('/');
}

/** As it is asked for, symlinks not followed. */
export function placeOf(path: string, projectRoot: string): string {
  return isAbsolute(path) ? path : join(projectRoot, path);
}

function outside(path: string, why: string): ToolError {
  const text = `"${path}" ${why}. Name a workflow, or a file of the project such as ${FOLDER}/mine.yaml.`;
  return new ToolError('NEXUS_OUTSIDE_ROOTS', text, { detail: { path } });
}

function unreadable(path: string, why: string): ToolError {
  return new ToolError('NEXUS_FILE_UNREADABLE', `"${path}" can't be read as a workflow: ${why}.`, {
    detail: { path },
  });
}
