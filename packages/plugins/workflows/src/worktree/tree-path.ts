import { lstat, realpath } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { ToolError } from '@nexus/plugin-sdk';
import { isInside, isOfGit } from '@nexus/primitives';

/** A path of a worktree, as it really is. */
export interface TreePath {
  /** Symlinks resolved, as far as it exists. */
  readonly path: string;
  /** From the worktree's top, with `/`. */
  readonly name: string;
  readonly kind: 'file' | 'directory' | 'none';
}

/**
 * Where a path that a model wrote leads, whatever links are on its way.
 * @param top the worktree, as a real path
 * @param typed relative to the top, or absolute
 * @throws {ToolError} NEXUS_OUTSIDE_ROOTS outside of the worktree, or in git's own data; NEXUS_FILE_UNREADABLE
 */
export async function treePath(top: string, typed: string): Promise<TreePath> {
  if (typed.includes('\0')) throw new ToolError('NEXUS_INVALID_ARGUMENTS', 'A path has no NUL in it.');
  const path = await realPart(resolve(top, typed), typed);
  if (!isInside({ path: path, folder: top })) {
    const text = `${typed} lies outside the worktree once links are resolved. Only what is inside can be read or written: name a path from its top, such as src/a.ts.`;
    throw new ToolError('NEXUS_OUTSIDE_ROOTS', text);
  }
  const name = relative(top, path).split(sep).join('/');
  if (isOfGit({ path, folder: top })) {
    const text = `${typed} is git's own data, which nobody reads or writes here. What you write is committed for you.`;
    throw new ToolError('NEXUS_OUTSIDE_ROOTS', text);
  }
  return { path, name, kind: await kindOf(path, typed) };
}

/** With every link resolved, also where the end of the path does not exist yet. */
async function realPart(path: string, typed: string): Promise<string> {
  let rest = '';
  for (let part = path; ; part = dirname(part)) {
    const real = await realpath(part).catch(() => undefined);
    if (real !== undefined) return join(real, rest);
    const isLink = await lstat(part).then(
      (stats) => stats.isSymbolicLink(),
      () => false,
    );
    if (isLink) {
      // What it would lead to is made by whoever writes through it.
      const text = `${typed} goes through a link that leads nowhere, so that nobody knows where it would end. Remove the link first.`;
      throw new ToolError('NEXUS_OUTSIDE_ROOTS', text);
    }
    if (dirname(part) === part) return path;
    rest = join(basename(part), rest);
  }
}

async function kindOf(path: string, typed: string): Promise<TreePath['kind']> {
  const stats = await lstat(path).catch(() => undefined);
  if (!stats) return 'none';
  if (stats.isFile()) return 'file';
  if (stats.isDirectory()) return 'directory';
  throw new ToolError('NEXUS_FILE_UNREADABLE', `${typed} is no regular file and no directory.`);
}
