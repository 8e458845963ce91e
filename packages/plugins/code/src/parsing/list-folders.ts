import { opendirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import ignore, { type Ignore } from 'ignore';
import { readFound } from '../files/read-text.ts';
import type { FoldersTask } from './task.ts';

/** A longer one is not written by hand, and each folder is held to each of its lines. */
const MAX_IGNORE_FILE_BYTES = 256 * 1_024;

interface Rules {
  readonly folder: string;
  readonly matcher: Ignore;
}

/** The folders in the given ones that .gitignore allows. One that rg would skip for other reasons may be among them. */
export function listFolders({ root, folders, exclude, limit }: FoldersTask): string[] {
  const excluded = ignore().add([...exclude]);
  const known = new Map<string, readonly Rules[]>();
  /** The innermost first. */
  const rulesOf = (folder: string): readonly Rules[] => {
    let rules = known.get(folder);
    if (!rules) {
      const outer = folder === root ? [] : rulesOf(join(folder, '..'));
      const own = readFound(join(folder, '.gitignore'), MAX_IGNORE_FILE_BYTES);
      rules = own === '' ? outer : [{ folder, matcher: ignore().add(own) }, ...outer];
      known.set(folder, rules);
    }
    return rules;
  };
  const found: string[] = [];
  for (const folder of folders) {
    for (const name of folderNames(folder)) {
      const path = join(folder, name);
      if (excluded.ignores(pathFrom(root, path)) || isIgnored(path, rulesOf(folder))) continue;
      found.push(path);
      if (found.length > limit) return found;
    }
  }
  return found;
}

/** One by one: a folder may have millions of entries. */
function* folderNames(folder: string): Generator<string> {
  const entries = opened(folder);
  if (!entries) return;
  try {
    for (let entry = entries.readSync(); entry; entry = entries.readSync()) {
      if (entry.isDirectory()) yield entry.name;
    }
  } finally {
    entries.closeSync();
  }
}

/** Nothing for one that is gone or not permitted. */
function opened(folder: string) {
  try {
    return opendirSync(folder, { bufferSize: 256 });
  } catch {
    return undefined;
  }
}

function isIgnored(folder: string, rules: readonly Rules[]): boolean {
  // The innermost file that says something decides, as in git.
  for (const { folder: base, matcher } of rules) {
    const { ignored, unignored } = matcher.test(pathFrom(base, folder));
    if (ignored || unignored) return ignored;
  }
  return false;
}

/** As .gitignore patterns see a folder. */
function pathFrom(base: string, folder: string): string {
  return `${relative(base, folder).split(sep).join('/')}/`;
}
