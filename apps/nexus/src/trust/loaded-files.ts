import { accessSync, constants, realpathSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, extname, resolve } from 'node:path';
import { isInside, readTextSync } from '@nexus/primitives';
import { contentHash } from './content-hash.ts';
import { moduleFiles } from './module-files.ts';
import { importsOf } from './module-imports.ts';
import { isPackageName, type PackageImport, packageImport, realPlace } from './package-files.ts';

/** What a module and those that it imports are. */
export interface LoadedFiles {
  /**
   * Content by absolute path, in the order of the paths; of packages too that lie in the repository. Of a file that is
   * too large to be read its hash.
   */
  readonly files: ReadonlyMap<string, string>;
  /** What they import of packages, and where that is now. */
  readonly packages: readonly PackageImport[];
  /** Whether those are all that it loads of its repository, as far as their texts tell. */
  readonly isCertain: boolean;
  /** Whether one of them may write files, and so make what is loaded another. */
  readonly writesFiles: boolean;
}

/** What goes beyond is said to be more. */
const MAX_FILES = 2_000;
const MAX_FILE_BYTES = 64 * 1024 * 1024;
/** Of all that is held of packages; what goes beyond is said to be more. */
const MAX_PACKAGES = 200;
const MAX_PACKAGE_FILES = 1_000;
const MAX_PACKAGE_CHARACTERS = 16 * 1024 * 1024;
const MODULE = /^\.[cm]?[jt]s$/;

/**
 * What importing a plugin or script loads: its entry, what that imports by a relative path, and so on; where each
 * package is that one of them imports; and of a package in the repository, which a pull may write, its package.json
 * and what it is entered by with what that imports by relative paths. Further packages of those are not looked for.
 * @param top what lies elsewhere came by the user's own hand
 * @throws {Error} where the entry is not there, or not for this user
 */
export function loadedFiles(entry: string, top: string): LoadedFiles {
  const contents = new Map<string, string>();
  const bare = new Map<string, readonly [specifier: string, from: string]>();
  let [isCertain, writesFiles] = [true, false];
  accessSync(entry, constants.R_OK);
  const waiting = [entry];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const file = realpathSync(next);
    if (contents.has(file)) continue;
    if (contents.size >= MAX_FILES) {
      isCertain = false; // those before it are held all the same
      break;
    }
    const read = readHeld(file);
    contents.set(file, read.text);
    waiting.push(...read.files);
    if (!read.isCertain) isCertain = false;
    if (read.writesFiles) writesFiles = true;
    if (!isInside({ path: file, folder: top })) continue;
    for (const specifier of read.packages)
      bare.set(JSON.stringify([specifier, dirname(file)]), [specifier, dirname(file)]);
  }
  const all = [...bare.values()];
  const packages = all.slice(0, MAX_PACKAGES).map(([specifier, from]) => packageImport(specifier, from));
  const entries = packages.flatMap(({ files }) => files).filter((file) => isOf(file, top));
  const held = packageContents(entries, contents);
  const isAll = all.length <= MAX_PACKAGES && held.isCertain && !packages.some(({ isOwn }) => isOwn);
  return {
    files: new Map([...contents].sort(([a], [b]) => (a < b ? -1 : 1))),
    packages,
    isCertain: isCertain && isAll,
    writesFiles: writesFiles || held.writesFiles,
  };
}

/** @returns whether that is all that they load, as far as their texts tell */
function packageContents(
  entries: readonly string[],
  contents: Map<string, string>,
): Pick<LoadedFiles, 'isCertain' | 'writesFiles'> {
  let [files, characters, isCertain, writesFiles] = [0, 0, true, false];
  const waiting = [...entries];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (files >= MAX_PACKAGE_FILES || characters >= MAX_PACKAGE_CHARACTERS)
      return { isCertain: false, writesFiles };
    try {
      const file = realpathSync(next);
      if (contents.has(file)) continue;
      const read = readModule(file, MAX_PACKAGE_CHARACTERS);
      contents.set(file, read.text);
      waiting.push(...read.files);
      if (!read.isCertain || read.packages.length > 0) isCertain = false;
      if (read.writesFiles) writesFiles = true;
      files += 1;
      characters += read.text.length;
    } catch {
      isCertain = false; // it is too large, or not for this user
    }
  }
  return { isCertain, writesFiles };
}

/** A file of the repository, or a link there. */
function isOf(file: string, top: string): boolean {
  return [file, realPlace(file)].some((path) => isInside({ path, folder: top }));
}

interface Module {
  readonly text: string;
  /** Which it imports by relative paths. */
  readonly files: readonly string[];
  /** Specifiers of packages. */
  readonly packages: readonly string[];
  readonly isCertain: boolean;
  readonly writesFiles: boolean;
}

/** A file that can't be read as a module is held all the same: by its hash, or as one of which there is nothing. */
function readHeld(file: string): Module {
  try {
    return readModule(file);
  } catch {
    return { text: contentHash(file) ?? '', files: [], packages: [], isCertain: false, writesFiles: false };
  }
}

function readModule(file: string, maxBytes = MAX_FILE_BYTES): Module {
  const text = readTextSync(file, maxBytes);
  if (file.endsWith('.json')) return { text, files: [], packages: [], isCertain: true, writesFiles: false };
  const { specifiers, isCertain, writesFiles } = importsOf(text);
  const relative = specifiers.filter(isRelative).map((specifier) => relativeFiles(specifier, dirname(file)));
  return {
    text,
    writesFiles,
    files: relative.flat(),
    // As an import, and as `require`, read them.
    packages: [...new Set(specifiers.flatMap((specifier) => [specifier, asUrl(specifier)]))].filter(
      (specifier) => isPackageName(specifier) && !isBuiltin(specifier),
    ),
    isCertain:
      isCertain &&
      (MODULE.test(extname(file)) || extname(file) === '') &&
      relative.every((files) => files.length > 0),
  };
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
