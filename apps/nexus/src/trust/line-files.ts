import { readdirSync, realpathSync, statSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { isRecord } from '@nexus/core';
import { isInside } from '@nexus/primitives';
import { parse } from 'shell-quote';
import { runsCode } from './code-variables.ts';
import { codeVariablesOf, type SetVariable } from './env-files.ts';
import { gitFiles } from './git-files.ts';
import { installedProgram } from './installed-program.ts';
import { unreadNodeOptions } from './known-words.ts';
import { moduleFiles } from './module-files.ts';
import { isPackageName, type PackageImport, packageImport, upward } from './package-files.ts';
import { type CommandReading, isNamedFile, preloadsOf, readCommand } from './read-command.ts';

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

/** What the words of one line name. */
export interface LineFiles {
  readonly files: readonly string[];
  /** Those of them that are run. */
  readonly run: readonly string[];
  /** Those of these that the system itself starts. */
  readonly started: readonly string[];
  /** Of the repository, that it would be told by or run, and that are not there. */
  readonly absent: readonly string[];
  /** What its runtime loads before its script. */
  readonly packages: readonly PackageImport[];
  /** By which files that tell it variables make it run something. */
  readonly variables: readonly SetVariable[];
  /** What decides beside its words what it runs, a sentence each. */
  readonly says: readonly string[];
  readonly isCertain: boolean;
}

const MAX_FILE_BYTES = 16 * 1024 * 1024;
/** More than this in a folder are not told apart. */
export const MAX_FILES = 2_000;
/** What a server writes while it runs, and nobody takes for a program. */
const DATA = /\.(db|db-shm|db-wal|sqlite3?|log|jsonl|csv|tsv|parquet|txt|md|pdf|png|jpe?g|svg)$/i;

export function lineFiles(
  { command, args, cwd, env }: CommandLine,
  { folder, top }: ProgramPlaces,
): LineFiles {
  const from = typeof cwd === 'string' ? resolve(folder, cwd) : folder;
  const texts = Array.isArray(args) ? args.filter((each) => typeof each === 'string') : [];
  const reading = readCommand(typeof command === 'string' ? command : '', texts);
  const { words, run, programs, scripts } = reading;
  const files = new Set<string>();
  const ran = new Set<string>();
  const started = new Set<string>();
  let isWhole = reading.isCertain;
  const take = (file: string, isRun: boolean) => {
    const bytes = bytesOf(file, top);
    if (bytes === undefined) return;
    if (bytes > MAX_FILE_BYTES || files.size >= MAX_FILES) isWhole = false;
    else files.add(file);
    if (isRun && files.has(file)) ran.add(file);
  };
  // Where a shell changes the folder first, its words are read from there too.
  const folders = [from, ...words.map((word) => resolve(from, word)).filter((path) => isFolder(path, top))];
  for (const word of words) {
    // A bare name is looked for on the PATH, and is no file here.
    const isBareProgram = word === command && !/[/\\]/.test(word) && process.platform !== 'win32';
    for (const file of isBareProgram ? [] : folders.map((base) => resolve(base, word)))
      if (run.has(word) || !DATA.test(file)) {
        take(file, run.has(word));
        if (programs.has(word)) started.add(file);
      }
    if (!run.has(word)) continue;
    const modules = folders.flatMap((base) => moduleFiles(resolve(base, word)));
    for (const file of modules) take(file, true);
    // What an interpreter is given and no file has the name of, it finds in ways of its own.
    const isHere = isInside({ path: resolve(from, word), folder: top });
    if (scripts.has(word) && isHere && modules.length === 0) isWhole = false;
  }
  const told = toldBy(reading, folders, top);
  if (!told.isCertain) isWhole = false;
  for (const file of told.files) take(file, false);
  const set: (readonly [string, unknown])[] = [
    ...Object.entries(isRecord(env) ? env : {}),
    ...told.variables.map(({ name, value }) => [name, value] as const),
  ];
  for (const file of set.flatMap((variable) => variableFiles(variable, from, top))) take(file, true);
  const found = set.flatMap((variable) => searchedPlaces(variable, from, reading.searched));
  for (const file of found) {
    take(file, true);
    if (files.has(file)) started.add(file);
  }
  const isMissing = (file: string) =>
    isInside({ path: file, folder: top }) && bytesOf(file, top) === undefined;
  const git = reading.runsGit ? folders.map((base) => gitFiles(base, top)) : [];
  for (const each of git) {
    for (const file of each.files) take(file, each.run.includes(file));
    for (const file of each.run) started.add(file);
  }
  const says = [...reading.says, ...git.flatMap((each) => each.says)];
  if (says.length > reading.says.length) isWhole = false;
  if (set.some(mayRunMore)) isWhole = false;
  const preloads = [...reading.preloads, ...set.flatMap(preloadedBy)].filter(isPackageName);
  const packages = preloads.map((specifier) => packageImport(specifier, from));
  for (const file of [...packages.flatMap((each) => each.files), ...told.run]) take(file, true);
  return {
    files: [...files],
    run: [...ran],
    started: [...started],
    absent: [...told.absent, ...found.filter(isMissing)],
    packages,
    variables: told.variables,
    says,
    isCertain: isWhole,
  };
}

/** What programs of a line are told by beside their words, as it lies in the folders where they may run. */
function toldBy(
  { told, envFiles, installed }: Pick<CommandReading, 'told' | 'envFiles' | 'installed'>,
  folders: readonly string[],
  top: string,
) {
  // The nearest of them upward counts.
  const settings = [...new Set(folders.flatMap(upward))].flatMap((base) =>
    told.map((file) => join(base, file)),
  );
  const ofVariables = folders.flatMap((base) => envFiles.map((file) => resolve(base, file)));
  const programs = folders.flatMap((base) => installed.map((name) => installedProgram(name, base)));
  const files = [...settings, ...ofVariables, ...programs.flatMap((program) => program.files)];
  const isHere = (file: string) => bytesOf(file, top) !== undefined;
  const variables: SetVariable[] = [];
  let isCertain = programs.every((program) => program.isCertain);
  for (const file of ofVariables.filter(isHere)) {
    try {
      variables.push(...codeVariablesOf(file));
    } catch {
      isCertain = false; // it is too large, or not for this user
    }
  }
  // What a folder may get of these is one more that decides.
  const bound = installed.length === 0 ? ofVariables : files;
  return {
    files,
    run: programs.flatMap((program) => program.run),
    absent: [...new Set(bound)].filter((file) => isInside({ path: file, folder: top }) && !isHere(file)),
    variables,
    isCertain,
  };
}

/** Where a program is looked for by the PATH; an empty entry is the folder where it starts. */
function searchedPlaces(
  [name, value]: readonly [string, unknown],
  from: string,
  searched: ReadonlySet<string>,
): string[] {
  if (typeof value !== 'string' || !/^PATH$/i.test(name)) return [];
  const folders = [...new Set(value.split(delimiter).map((entry) => resolve(from, entry)))];
  return folders.flatMap((folder) => [...searched].map((program) => join(folder, program)));
}

/** What a variable that makes programs run something names: files, and all that lies in folders. */
function variableFiles([name, value]: readonly [string, unknown], from: string, top: string): string[] {
  if (typeof value !== 'string' || !runsCode(name)) return [];
  const words = [value, ...value.split(delimiter), ...readCommand('sh', ['-c', value]).words];
  const paths = [...new Set(words.filter((word) => word !== '').map((word) => resolve(from, word)))];
  return paths.flatMap((path) => (isFolder(path, top) ? filesBelow(path) : moduleFiles(path)));
}

/** `NODE_OPTIONS=--require a`. */
function preloadedBy([name, value]: readonly [string, unknown]): string[] {
  return NODE_OPTIONS.test(name) ? preloadsOf(wordsOf(value)) : [];
}

/** Of folders of programs each one is read; what other such variables do to programs is not known. */
function mayRunMore([name, value]: readonly [string, unknown]): boolean {
  if (!runsCode(name) || /^PATH$/i.test(name)) return false;
  const words = wordsOf(value);
  return (
    !NODE_OPTIONS.test(name) || unreadNodeOptions(words).length > 0 || !preloadsOf(words).every(isNamedFile)
  );
}

const NODE_OPTIONS = /^NODE_OPTIONS$/i;

function wordsOf(value: unknown): string[] {
  return typeof value === 'string'
    ? parse(value).flatMap((token) => (typeof token === 'string' ? [token] : []))
    : [];
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
