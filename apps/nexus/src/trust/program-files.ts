import { extname } from 'node:path';
import { isInside } from '@nexus/primitives';
import { contentHash } from './content-hash.ts';
import type { SetVariable } from './env-files.ts';
import { type CommandLine, type LineFiles, lineFiles, MAX_FILES, type ProgramPlaces } from './line-files.ts';
import { type LoadedFiles, loadedFiles } from './loaded-files.ts';
import type { PackageImport } from './package-files.ts';
import { MODULE, readScript } from './read-script.ts';

/** What of the repository a command line runs. */
export interface ProgramFiles {
  /** SHA-256 of their content by absolute path, in the order of the paths. */
  readonly files: Readonly<Record<string, string>>;
  /** What its scripts import of packages, and where that is now. */
  readonly packages: readonly PackageImport[];
  /** Files of the repository that are looked for first, and are not there. */
  readonly absent: readonly string[];
  /** What files that it is told variables by make it run. */
  readonly variables: readonly SetVariable[];
  /** What decides beside its words what it runs, a sentence each. */
  readonly says: readonly string[];
  /** Whether those are all that its words, and what it is told by, make it run. */
  readonly isCertain: boolean;
  /** Whether a script of those may write files, and so make what runs another. */
  readonly writesFiles: boolean;
}

/** Languages whose imports are not followed. */
const OPEN_SCRIPT = /\.(?:ba|z|fi)?sh$|\.(?:py|rb|pl|php|lua|r|ps1|bat|cmd|mk)$/i;
/**
 * The files of the repository that a command line names, or that variables by which programs are made to run something
 * name; and of a JavaScript or TypeScript file those that it imports by relative paths: what a pull may change behind
 * a command that stays the same.
 */
export function programFiles(line: CommandLine, places: ProgramPlaces): ProgramFiles {
  const lines = allLines(line, places);
  const named = lines.flatMap(({ files }) => files);
  const imported = named.map((file) => importedBy(file, places.top));
  const all = [...named, ...imported.flatMap(({ files }) => files)];
  const hashes = [...new Set(all)].sort().map((file) => [file, contentHash(file)] as const);
  const held = hashes.filter((each): each is [string, string] => each[1] !== undefined);
  const packages = [...lines, ...imported].flatMap((each) => each.packages);
  const beyond = packages.flatMap((each) => each.absent);
  return {
    files: Object.fromEntries(held),
    packages,
    absent: [
      ...lines.flatMap(({ absent }) => absent),
      ...beyond.filter((path) => isInside({ path, folder: places.top })),
    ],
    variables: lines.flatMap(({ variables }) => variables),
    says: [...new Set(lines.flatMap(({ says }) => says))],
    isCertain:
      [...lines, ...imported].every(({ isCertain }) => isCertain) &&
      held.length === hashes.length &&
      !all.some((file) => OPEN_SCRIPT.test(file)),
    writesFiles: imported.some((each) => each.writesFiles),
  };
}

/** A line, and those that the first lines of what is run stand for: `#!/usr/bin/env -S node --require ./a.cjs`. */
function allLines(line: CommandLine, places: ProgramPlaces): Omit<LineFiles, 'run' | 'started'>[] {
  const lines: LineFiles[] = [];
  const seen = new Set<string>();
  const started = new Set<string>();
  let isCertain = true;
  const waiting: string[] = [];
  const read = (each: CommandLine) => {
    const found = lineFiles(each, places);
    lines.push(found);
    for (const file of found.started) started.add(file);
    for (const file of found.run) {
      if (seen.has(file)) continue;
      if (seen.size >= MAX_FILES) isCertain = false;
      else waiting.push(file);
      seen.add(file);
    }
  };
  read(line);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const script = readScript(next, started.has(next));
    if (!script.isCertain) isCertain = false;
    for (const [command, ...args] of script.lines)
      read({ command, args: [...args, next], cwd: line.cwd, env: line.env });
  }
  return lines.map((each) => ({ ...each, isCertain: each.isCertain && isCertain }));
}

function importedBy(
  file: string,
  top: string,
): Omit<LoadedFiles, 'files'> & { readonly files: readonly string[] } {
  const isScript = MODULE.test(extname(file)) || (extname(file) === '' && readScript(file, false).isModule);
  if (!isScript) return { files: [], packages: [], isCertain: true, writesFiles: false };
  try {
    const loaded = loadedFiles(file, top);
    return { ...loaded, files: [...loaded.files.keys()] };
  } catch {
    return { files: [], packages: [], isCertain: false, writesFiles: false }; // more than can be followed, or none that can be read
  }
}
