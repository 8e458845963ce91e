import { type Dirent, readdirSync } from 'node:fs';
import { rm, rmdir } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { isInside } from '@nexus/primitives';
import type { MadeNames } from './made-names.ts';
import { realOf } from './real-of.ts';

/** What lies in a folder that a setting, or a platform's custom, gives to Nexus: it may be somebody else's all the same. */
export interface OwnFiles {
  /** What Nexus made, and links in the place of such. */
  readonly own: readonly string[];
  /** Those links: what is behind one may be anybody's, and is looked at by nobody. */
  readonly links: readonly string[];
  /** Folders that Nexus's lie in, the innermost first. */
  readonly folders: readonly string[];
  /** How much else lies in them. */
  readonly others: number;
}

export interface OwnIn {
  readonly folder: string;
  readonly names: MadeNames;
  /** Places that no folder is taken with, such as the project. */
  readonly spared: readonly string[];
  /** What is others', though it bears a name of Nexus's: paths in the folder, with `/`. */
  readonly kept?: readonly string[];
}

export function ownFiles({ folder, names, spared, kept = [] }: OwnIn): OwnFiles {
  const found = look(folder, names.map(partsOf), spared);
  const isKept = keeps(kept);
  const isOwn = (path: string) => !isKept(pathIn(folder, path));
  const [own, links] = [found.own.filter(isOwn), found.links.filter(isOwn)];
  return { ...found, own, links, others: found.others + found.own.length - own.length };
}

/** With `/`, whatever the platform. */
export function pathIn(folder: string, path: string): string {
  return relative(folder, path).split(sep).join('/');
}

/** Whether a path is one of those, or lies in one, or holds one. */
export function keeps(kept: readonly string[]): (path: string) => boolean {
  const [whole, holding] = [new Set(kept), new Set(kept.flatMap(foldersOf))];
  return (path) => holding.has(path) || [path, ...foldersOf(path)].some((each) => whole.has(each));
}

function foldersOf(path: string): string[] {
  const folder = dirname(path);
  return folder === '.' || folder === path ? [] : [folder, ...foldersOf(folder)];
}

/** Takes what Nexus made, and each folder that is empty then. */
export async function takeOwn(of: OwnIn): Promise<void> {
  const { own, folders } = ownFiles(of);
  for (const path of own) await rm(path, { recursive: true, force: true, maxRetries: 5 });
  for (const folder of folders) {
    if (isSpared(folder, of.spared)) continue;
    await rmdir(folder).catch((error: NodeJS.ErrnoException) => {
      // Not empty, or a link to a folder.
      if (!['ENOTEMPTY', 'EEXIST', 'ENOTDIR', 'ENOENT'].includes(error.code ?? '')) throw error;
    });
  }
}

interface Parts {
  readonly first: RegExp;
  /** Undefined at the end of a file's name. */
  readonly rest: string | undefined;
}

function partsOf(name: string): Parts {
  const at = name.indexOf('/');
  const [first, rest] = at < 0 ? [name, undefined] : [name.slice(0, at), name.slice(at + 1)];
  return { first: new RegExp(`^(?:${first})$`), rest };
}

function look(folder: string, names: readonly Parts[], spared: readonly string[]): OwnFiles {
  const own: string[] = [];
  const links: string[] = [];
  const folders: string[] = [];
  let others = 0;
  for (const entry of entriesOf(folder)) {
    const path = join(folder, entry.name);
    const rests = names.filter(({ first }) => first.test(entry.name)).map(({ rest }) => rest);
    const below = rests.filter((rest) => rest !== undefined && rest !== '') as string[];
    if (entry.isSymbolicLink() && rests.length > 0) {
      own.push(path);
      links.push(path);
    } else if (entry.isDirectory() && rests.includes('') && !isSpared(path, spared)) own.push(path);
    else if (entry.isDirectory() && below.length > 0) {
      const found = look(path, below.map(partsOf), spared);
      own.push(...found.own);
      links.push(...found.links);
      folders.push(...found.folders);
      others += found.others;
    } else if ((entry.isFile() || entry.isSocket()) && rests.includes(undefined)) own.push(path);
    else others += 1;
  }
  return { own, links, folders: [...folders, folder], others };
}

/** Whether a folder is one of the places, or holds one, or is a repository: a worktree's `.git` is a file. */
function isSpared(folder: string, places: readonly string[]): boolean {
  const git = entriesOf(folder).find(({ name }) => name === '.git');
  const real = realOf(folder);
  return (
    git?.isDirectory() === true || places.some((place) => isInside({ path: realOf(place), folder: real }))
  );
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return [];
    throw error;
  }
}
