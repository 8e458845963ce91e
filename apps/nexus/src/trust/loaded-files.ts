import { existsSync, realpathSync } from 'node:fs';
import { dirname, extname, join, resolve } from 'node:path';
import { isRecord } from '@nexus/core';
import { readTextSync } from '@nexus/primitives';
import { moduleFiles } from './module-files.ts';
import { importsOf } from './module-imports.ts';

/** What a module and those that it imports are. */
export interface LoadedFiles {
  /** Content by absolute path, in the order of the paths. */
  readonly files: ReadonlyMap<string, string>;
  /** Whether those are all that it loads of its repository, as far as their texts tell. */
  readonly isCertain: boolean;
}

const MAX_FILES = 2_000;
const MAX_FILE_BYTES = 64 * 1024 * 1024;
const MODULE = /^\.[cm]?[jt]s$/;

/**
 * What importing a plugin loads of it: its entry, what that imports by a relative path, and so on. Packages
 * that it depends on are left out: they came by the user's own install.
 */
export function loadedFiles(entry: string): LoadedFiles {
  const contents = new Map<string, string>();
  let isCertain = true;
  const waiting = [entry];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const file = realpathSync(next);
    if (contents.has(file)) continue;
    // A plugin of more files than this is not told apart by all of them, so it is not told apart at all.
    if (contents.size >= MAX_FILES) throw new Error(`${entry} imports more than ${MAX_FILES} files`);
    const text = readTextSync(file, MAX_FILE_BYTES);
    contents.set(file, text);
    if (file.endsWith('.json')) continue;
    const imports = importsOf(text);
    if (!imports.isCertain || !(MODULE.test(extname(file)) || extname(file) === '')) isCertain = false;
    for (const specifier of imports.specifiers) {
      const files = isRelative(specifier) ? relativeFiles(specifier, dirname(file)) : [];
      waiting.push(...files);
      if (isRelative(specifier) ? files.length === 0 : isOwnPackage(specifier, dirname(file)))
        isCertain = false;
    }
  }
  return { files: new Map([...contents].sort(([a], [b]) => (a < b ? -1 : 1))), isCertain };
}

function isRelative(specifier: string): boolean {
  return /^\.{1,2}(?:\/|$)/.test(specifier);
}

/** An import is a URL, `require` is given a path: `./a%62.mjs?x` may be either. */
function relativeFiles(specifier: string, folder: string): string[] {
  return [...new Set([specifier, asUrl(specifier)])].flatMap((path) => moduleFiles(resolve(folder, path)));
}

function asUrl(specifier: string): string {
  const [path = ''] = specifier.split(/[?#]/);
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Whether a package's name leads back into the repository: its own name, or a link of its workspace. */
function isOwnPackage(specifier: string, from: string): boolean {
  const [name = ''] = /^(?:@[^/]+\/)?[^/]+/.exec(specifier) ?? [];
  for (let folder = from; ; folder = dirname(folder)) {
    const installed = join(folder, 'node_modules', name);
    if (existsSync(installed) && !realpathSync(installed).includes('node_modules')) return true;
    if (nameOf(join(folder, 'package.json')) === name) return true;
    if (dirname(folder) === folder) return false;
  }
}

function nameOf(file: string): unknown {
  try {
    const described: unknown = JSON.parse(readTextSync(file, MAX_FILE_BYTES));
    return isRecord(described) ? described.name : undefined;
  } catch {
    return undefined;
  }
}
