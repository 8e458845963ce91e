import { createHash } from 'node:crypto';
import { readFileSync, realpathSync, statSync } from 'node:fs';
import { extname, resolve, sep } from 'node:path';
import { loadedFiles } from './loaded-files.ts';

/** A command line as the config has it, variables expanded. */
export interface CommandLine {
  readonly command?: unknown;
  readonly args?: unknown;
  /** Relative to the config's folder. */
  readonly cwd?: unknown;
}

export interface ProgramPlaces {
  /** Of the config file; where a server is started by default. */
  readonly folder: string;
  /** The repository's, else the same: what lies elsewhere came by the user's own hand. */
  readonly top: string;
}

const MAX_FILE_BYTES = 16 * 1024 * 1024;
/** What a server writes while it runs, and nobody takes for a program. */
const DATA = /\.(db|db-shm|db-wal|sqlite3?|log|jsonl|csv|tsv|parquet|txt|md|pdf|png|jpe?g|svg)$/i;
const MODULE = /^\.[cm]?[jt]sx?$/;

/**
 * The files of the repository that a command line names, and of a JavaScript or TypeScript one those that it imports
 * by relative paths: what a pull may change behind a command that stays the same.
 * @returns SHA-256 of their content by absolute path, in the order of the paths
 */
export function programFiles(line: CommandLine, places: ProgramPlaces): Readonly<Record<string, string>> {
  const files = namedFiles(line, places).flatMap((file) => [file, ...importedBy(file)]);
  return Object.fromEntries([...new Set(files)].sort().map((file) => [file, sha256(file)]));
}

/** Those that the command line itself names: as a word, or after the `=` of an option. */
function namedFiles({ command, args, cwd }: CommandLine, { folder, top }: ProgramPlaces): string[] {
  const from = typeof cwd === 'string' ? resolve(folder, cwd) : folder;
  const program = typeof command === 'string' && /[/\\]/.test(command) ? [command] : [];
  const words = [...program, ...(Array.isArray(args) ? args : [])]
    .filter((each) => typeof each === 'string')
    .flatMap((each) => [each, ...each.split(/\s+/)])
    .flatMap((each) => [each, each.replace(/^[^=]*=/, '')]);
  const files = [...new Set(words)].filter((word) => word !== '').map((word) => resolve(from, word));
  return [...new Set(files)].filter((file) => !DATA.test(file) && isProgram(file, top));
}

function isProgram(file: string, top: string): boolean {
  try {
    const stats = statSync(file);
    if (!stats.isFile() || stats.size > MAX_FILE_BYTES) return false;
    // A link that leads out of the repository can be turned by a pull as well.
    return [file, realpathSync(file)].some((path) => path.startsWith(`${top}${sep}`));
  } catch {
    return false;
  }
}

function importedBy(file: string): string[] {
  if (!MODULE.test(extname(file))) return [];
  try {
    return [...loadedFiles(file).keys()];
  } catch {
    return []; // more than can be followed, or none that can be read
  }
}

function sha256(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}
