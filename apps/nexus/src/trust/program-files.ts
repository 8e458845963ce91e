import { readdirSync, realpathSync, statSync } from 'node:fs';
import { delimiter, extname, join, resolve } from 'node:path';
import { isRecord } from '@nexus/core';
import { isInside } from '@nexus/primitives';
import { runsCode } from './code-variables.ts';
import { contentHash } from './content-hash.ts';
import { type LoadedFiles, loadedFiles } from './loaded-files.ts';
import { moduleFiles } from './module-files.ts';
import type { PackageImport } from './package-files.ts';
import { readCommand } from './read-command.ts';
import { readScript } from './read-script.ts';

/** A command line as the config has it, variables expanded. */
export interface CommandLine {
  readonly command?: unknown;
  readonly args?: unknown;
  /** Relative to the config's folder. */
  readonly cwd?: unknown;
  readonly env?: unknown;
}

export interface ProgramPlaces {
  /** Of the config file; where a server is started by default. */
  readonly folder: string;
  /** The repository's, else the same: what lies elsewhere came by the user's own hand. */
  readonly top: string;
}

/** What of the repository a command line runs. */
export interface ProgramFiles {
  /** SHA-256 of their content by absolute path, in the order of the paths. */
  readonly files: Readonly<Record<string, string>>;
  /** What its scripts import of packages, and where that is now. */
  readonly packages: readonly PackageImport[];
  /** Whether those are all that its words, and what it is told by, make it run. */
  readonly isCertain: boolean;
}

const MAX_FILE_BYTES = 16 * 1024 * 1024;
/** More than this in a folder are not told apart. */
const MAX_FILES = 2_000;
/** What a server writes while it runs, and nobody takes for a program. */
const DATA = /\.(db|db-shm|db-wal|sqlite3?|log|jsonl|csv|tsv|parquet|txt|md|pdf|png|jpe?g|svg)$/i;
const MODULE = /^\.[cm]?[jt]sx?$/;
/** Languages whose imports are not followed. */
const OPEN_SCRIPT = /\.(?:ba|z|fi)?sh$|\.(?:py|rb|pl|php|lua|r|ps1|bat|cmd|mk)$/i;
/**
 * The files of the repository that a command line names, or that variables by which programs are made to run something
 * name; and of a JavaScript or TypeScript file those that it imports by relative paths: what a pull may change behind
 * a command that stays the same.
 */
export function programFiles(line: CommandLine, places: ProgramPlaces): ProgramFiles {
  const named = namedFiles(line, places);
  const imported = named.files.map((file) => importedBy(file, places.top));
  const all = [...named.files, ...imported.flatMap(({ files }) => files)];
  const hashes = [...new Set(all)].sort().map((file) => [file, contentHash(file)] as const);
  const held = hashes.filter((each): each is [string, string] => each[1] !== undefined);
  return {
    files: Object.fromEntries(held),
    packages: imported.flatMap(({ packages }) => packages),
    isCertain:
      named.isCertain &&
      held.length === hashes.length &&
      imported.every(({ isCertain }) => isCertain) &&
      !all.some((file) => OPEN_SCRIPT.test(file)),
  };
}

interface NamedFiles {
  readonly files: readonly string[];
  /** Those of them that are run. */
  readonly run: ReadonlySet<string>;
  readonly isCertain: boolean;
}

/** What the words of a line name, and the first lines of what is run: `#!/usr/bin/env -S node --require ./a.cjs`. */
function namedFiles(line: CommandLine, places: ProgramPlaces): NamedFiles {
  const { files, run, isCertain } = lineFiles(line, places);
  const all = new Set(files);
  let isWhole = isCertain;
  const waiting = [...run];
  const seen = new Set(waiting);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const script = readScript(next);
    if (!script.isCertain) isWhole = false;
    for (const words of script.lines) {
      const [command, ...args] = words;
      const named = lineFiles({ command, args: [...args, next], cwd: line.cwd }, places);
      if (!named.isCertain) isWhole = false;
      for (const file of named.files) all.add(file);
      for (const file of named.run) {
        if (seen.size >= MAX_FILES) isWhole = false;
        else if (!seen.has(file)) waiting.push(file);
        seen.add(file);
      }
    }
  }
  return { files: [...all], run: seen, isCertain: isWhole };
}

function lineFiles({ command, args, cwd, env }: CommandLine, { folder, top }: ProgramPlaces): NamedFiles {
  const from = typeof cwd === 'string' ? resolve(folder, cwd) : folder;
  const texts = Array.isArray(args) ? args.filter((each) => typeof each === 'string') : [];
  const { words, run, scripts, told, isCertain } = readCommand(
    typeof command === 'string' ? command : '',
    texts,
  );
  const files = new Set<string>();
  const started = new Set<string>();
  let isWhole = true;
  const take = (file: string, isRun: boolean) => {
    if (!isRun && DATA.test(file)) return;
    const bytes = bytesOf(file, top);
    if (bytes === undefined) return;
    if (bytes > MAX_FILE_BYTES || files.size >= MAX_FILES) isWhole = false;
    else files.add(file);
    if (isRun && files.has(file)) started.add(file);
  };
  // Where a shell changes the folder first, its words are read from there too.
  const folders = [from, ...words.map((word) => resolve(from, word)).filter((path) => isFolder(path, top))];
  for (const word of words) {
    // A bare name is looked for on the PATH, and is no file here.
    const isBareProgram = word === command && !/[/\\]/.test(word) && process.platform !== 'win32';
    for (const base of isBareProgram ? [] : folders) take(resolve(base, word), run.has(word));
    if (!run.has(word)) continue;
    const modules = folders.flatMap((base) => moduleFiles(resolve(base, word)));
    for (const file of modules) take(file, true);
    // What an interpreter is given and no file has the name of, it finds in ways of its own.
    const isHere = isInside({ path: resolve(from, word), folder: top });
    if (scripts.has(word) && isHere && modules.length === 0) isWhole = false;
  }
  for (const base of told.length > 0 ? folders : []) for (const file of told) take(join(base, file), true);
  for (const file of variableFiles(env, from, top)) take(file, true);
  return { files: [...files], run: started, isCertain: isCertain && isWhole };
}

/** What variables that make programs run something name: files, and all that lies in folders. */
function variableFiles(env: unknown, from: string, top: string): string[] {
  const values = Object.entries(isRecord(env) ? env : {}).flatMap(([name, value]) =>
    typeof value === 'string' && runsCode(name) ? [value] : [],
  );
  const words = values.flatMap((value) => {
    const read = readCommand('sh', ['-c', value]).words;
    return [value, ...value.split(delimiter), ...read];
  });
  // An empty entry of a search path is the folder where the program starts.
  const paths = [...new Set(words.filter((word) => word !== '').map((word) => resolve(from, word)))];
  return paths.flatMap((path) => (isFolder(path, top) ? filesBelow(path) : [path]));
}

function filesBelow(folder: string): string[] {
  const files: string[] = [];
  const waiting = [folder];
  for (let next = waiting.pop(); next !== undefined && files.length <= MAX_FILES; next = waiting.pop()) {
    for (const entry of readdirSync(next, { withFileTypes: true })) {
      if (entry.isDirectory()) {
        if (entry.name !== '.git' && entry.name !== 'node_modules') waiting.push(join(next, entry.name));
      } else files.push(join(next, entry.name));
    }
  }
  return files.slice(0, MAX_FILES);
}

function isFolder(path: string, top: string): boolean {
  try {
    return path !== top && isInside({ path, folder: top }) && statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/** @returns the size of a file of the repository; undefined for all else */
function bytesOf(file: string, top: string): number | undefined {
  try {
    const stats = statSync(file);
    // A link that leads out of the repository can be turned by a pull as well.
    const isOwn = [file, realpathSync(file)].some((path) => isInside({ path, folder: top }));
    return stats.isFile() && isOwn ? stats.size : undefined;
  } catch {
    return undefined;
  }
}

function importedBy(
  file: string,
  top: string,
): Omit<LoadedFiles, 'files'> & { readonly files: readonly string[] } {
  const isScript = MODULE.test(extname(file)) || (extname(file) === '' && readScript(file).isModule);
  if (!isScript) return { files: [], packages: [], isCertain: true };
  try {
    const { files, packages, isCertain } = loadedFiles(file, top);
    return { files: [...files.keys()], packages, isCertain };
  } catch {
    return { files: [], packages: [], isCertain: false }; // more than can be followed, or none that can be read
  }
}
