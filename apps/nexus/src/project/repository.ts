import { existsSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { readTextSync, UnreadableFileError } from '@nexus/primitives';

/** Of git's own small files; nobody's config has more. */
const MAX_FILE_BYTES = 1024 * 1024;

/** The git repository around a project. */
export interface Repository {
  /** Its working tree. */
  readonly top: string;
  /** Its shared folder (`.git`, also for a worktree): the user's own, that no clone brings along. */
  readonly gitDir: string;
  /**
   * What the user's word about it is remembered by: its `.git` as it lies there. A link or a file in its place
   * names another folder, and so lends it no trust that was put in that one; of git's own worktrees it is their
   * repository's.
   */
  readonly place: string;
  /** Where the project lies in it, with `/`; empty at its top. */
  readonly folder: string;
}

/**
 * @returns undefined outside a repository, and where its `.git` is another user's, which git distrusts too
 * @throws {UnreadableFileError} for what lies in the place of a file of git's and is none
 */
export function findRepository(projectRoot: string): Repository | undefined {
  for (let top = projectRoot; ; top = dirname(top)) {
    const entry = join(top, '.git');
    if (existsSync(entry)) {
      if (!isOwn(entry)) return undefined;
      const gitDir = sharedFolder(entry);
      const folder = relative(top, projectRoot).split(sep).join('/');
      return { top, gitDir, place: isWorktreeOf(gitDir, entry) ? gitDir : entry, folder };
    }
    if (dirname(top) === top) return undefined;
  }
}

/** The address of `origin`, else of the only remote; of several, none is everyone's. */
export function remoteOf({ gitDir }: Repository): string | undefined {
  const remotes = readRemotes(read(join(gitDir, 'config')) ?? '');
  const only = remotes.size === 1 ? [...remotes.values()][0] : undefined;
  return remotes.get('origin') ?? only;
}

function readRemotes(config: string): Map<string, string> {
  const remotes = new Map<string, string>();
  let remote: string | undefined;
  for (const line of config.split(/\r?\n/)) {
    if (/^\s*\[/.test(line)) remote = /^\s*\[remote\s+"((?:[^"\\]|\\.)+)"\]/i.exec(line)?.[1];
    const address = /^\s*url\s*=\s*"?([^"\s]+)"?\s*(?:[#;]|$)/i.exec(line)?.[1];
    if (remote !== undefined && address && !remotes.has(remote)) remotes.set(remote, address);
  }
  return remotes;
}

/** A worktree's or submodule's `.git` is a file that names its folder; worktrees share their repository's. */
function sharedFolder(entry: string): string {
  if (statSync(entry).isDirectory()) return entry;
  const named = /^gitdir:\s*(\S.*)$/s.exec(read(entry) ?? '')?.[1]?.trim();
  const folder = named ? resolve(dirname(entry), named) : entry;
  const common = read(join(folder, 'commondir'))?.trim();
  return common ? resolve(folder, common) : folder;
}

/** Whether the repository itself says that the file is a worktree's of its: anybody can write the other way round. */
function isWorktreeOf(gitDir: string, entry: string): boolean {
  if (basename(gitDir) !== '.git' || statSync(entry).isDirectory()) return false;
  const named = /^gitdir:\s*(\S.*)$/s.exec(read(entry) ?? '')?.[1]?.trim();
  if (named === undefined) return false;
  try {
    const folder = realpathSync(resolve(dirname(entry), named));
    const back = read(join(folder, 'gitdir'))?.trim();
    return dirname(folder) === join(gitDir, 'worktrees') && resolve(folder, back ?? '') === entry;
  } catch (error) {
    if (error instanceof UnreadableFileError) throw error;
    return false;
  }
}

function isOwn(path: string): boolean {
  const uid = process.getuid?.();
  return uid === undefined || statSync(path).uid === uid;
}

function read(file: string): string | undefined {
  try {
    return readTextSync(file, MAX_FILE_BYTES);
  } catch (error) {
    if (error instanceof UnreadableFileError) throw error;
    return undefined;
  }
}
