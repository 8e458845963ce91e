import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { isInside } from './is-inside.ts';
import { isOfGit } from './is-of-git.ts';
import { readBytes } from './read-bytes.ts';

/** A folder whose files may be read, but for git’s own and what lies in the others. */
export interface Fenced {
  /** Absolute. */
  readonly folder: string;
  /** Real paths. */
  readonly except: readonly string[];
}

/**
 * The text of a file, by its path from the folder and its real path inside it.
 * @returns undefined where there is none, it lies elsewhere, may not be read, has more than `maxBytes` or is no text
 */
export async function readTextInside(
  path: string,
  { folder, except }: Fenced,
  maxBytes: number,
): Promise<string | undefined> {
  try {
    const real = await realpath(resolve(folder, path));
    const top = await realpath(folder);
    if (!isInside({ path: real, folder: top }) || isOfGit({ path: real, folder: top })) return undefined;
    if (except.some((each) => isInside({ path: real, folder: each }))) return undefined;
    const read = await readBytes(real, maxBytes);
    if (typeof read === 'string' || 'tooLargeBytes' in read || read.bytes.includes(0)) return undefined;
    return read.bytes.toString('utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error) return undefined; // not there, or not to be read
    throw error;
  }
}
