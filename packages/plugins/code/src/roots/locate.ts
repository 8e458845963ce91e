import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, resolve, sep } from 'node:path';
import { nearestNames, ToolError } from '@nexus/plugin-sdk';
import { isInside, isOfGit } from '@nexus/primitives';
import { displayPath } from './display-path.ts';
import type { Scope } from './scope.ts';

/** A path that is there and lies inside a root, symlinks resolved. */
export interface Located {
  readonly path: string;
  readonly kind: 'file' | 'directory';
}

interface Missing {
  readonly base: string;
  readonly existing: string;
  /** What of the path does not exist below `existing`. */
  readonly rest: string;
}

/**
 * Resolves what a caller typed: absolute, or relative to the first root that has it.
 * @throws {ToolError} NEXUS_OUTSIDE_ROOTS, NEXUS_NOT_FOUND with the nearest names, NEXUS_FILE_UNREADABLE
 */
export async function locate(typed: string, { roots, privatePaths, projectRoot }: Scope): Promise<Located> {
  const bases = isAbsolute(typed) ? roots.slice(0, 1) : roots;
  let missing: Missing | undefined;
  for (const base of bases) {
    const { existing, rest, denied } = await existingPart(resolve(base.path, typed));
    const path = join(existing, rest);
    if (privatePaths.some((own) => isInside({ path: path, folder: own }))) throw ownPath(typed);
    if (isOfGit({ path, folder: projectRoot })) throw ofGit(typed);
    if (!roots.some((root) => isInside({ path: path, folder: root.path }))) throw outside(typed, roots);
    if (denied) throw unreadable(typed, denied);
    if (rest === '') return { path: existing, kind: await kindOf(existing, typed) };
    missing ??= { base: base.path, existing, rest };
  }
  throw await notFound(typed, missing);
}

/** The longest part of a path that exists and may be read, resolved, and what is left of it. */
async function existingPart(path: string): Promise<{ existing: string; rest: string; denied?: Error }> {
  let rest = '';
  let denied: Error | undefined;
  for (let part = path; ; part = dirname(part)) {
    try {
      return { existing: await realpath(part), rest, ...(denied ? { denied } : {}) };
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (error instanceof Error && (code === 'EACCES' || code === 'EPERM')) denied = error;
      if (dirname(part) === part) return { existing: part, rest };
      rest = join(basename(part), rest);
    }
  }
}

async function kindOf(path: string, typed: string): Promise<Located['kind']> {
  const stats = await stat(path).catch((error: unknown) => {
    throw unreadable(typed, error);
  });
  if (stats.isDirectory()) return 'directory';
  if (stats.isFile()) return 'file';
  throw new ToolError('NEXUS_FILE_UNREADABLE', `${typed} is no regular file and no directory.`);
}

async function notFound(typed: string, missing: Missing | undefined): Promise<ToolError> {
  const names = missing ? await readdir(missing.existing).catch(() => []) : [];
  const wanted = missing?.rest.split(sep)[0] ?? '';
  const near = nearestNames(wanted, names).map((name) =>
    displayPath(missing?.base ?? '', join(missing?.existing ?? '', name)),
  );
  return notThere(typed, near);
}

/** @param near what may have been meant */
export function notThere(typed: string, near: readonly string[]): ToolError {
  const hint =
    near.length > 0
      ? `Did you mean ${near.join(' or ')}?`
      : 'search_codebase with mode "path" finds files by a part of their path.';
  return new ToolError('NEXUS_NOT_FOUND', `There is no ${typed}. ${hint}`, { detail: { nearest: near } });
}

function ownPath(typed: string): ToolError {
  const text = `${typed} belongs to Nexus itself (its data, tokens or sockets), which no tool reads.`;
  return new ToolError('NEXUS_OUTSIDE_ROOTS', text);
}

/** Addresses of remotes and headers that are sent to them may hold credentials. */
function ofGit(typed: string): ToolError {
  const text = `${typed} is git’s own, with settings that may hold credentials, and is not read. git_history reads the history.`;
  return new ToolError('NEXUS_OUTSIDE_ROOTS', text);
}

function outside(typed: string, roots: Scope['roots']): ToolError {
  const allowed = roots.map((root) => root.path).join(', ');
  const text = `${typed} lies outside the roots (${allowed}) once symlinks are resolved. Name a path inside, or add the folder as a root in the host.`;
  return new ToolError('NEXUS_OUTSIDE_ROOTS', text);
}

function unreadable(typed: string, cause: unknown): ToolError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new ToolError('NEXUS_FILE_UNREADABLE', `${typed} can’t be read: ${reason}.`, { cause });
}
