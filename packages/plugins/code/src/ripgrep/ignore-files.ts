import { type Stats, statSync } from 'node:fs';
import { opendir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ToolError } from '@nexus/plugin-sdk';

/** A longer one is not written by hand, and each file is held to each of its lines. */
const MAX_IGNORE_FILE_BYTES = 1_024 * 1_024;
/** What rg reads in each folder; the user's own list of ignored files is not the project's. */
const READ_BY_RG = ['.gitignore', join('.git', 'info', 'exclude')] as const;
/** A look at more of them would cost more than what it saves. */
const MAX_FOLDERS = 50_000;

/**
 * rg opens what lies in an ignore file's place: a pipe holds it for good, and a link to an endless device fills
 * the memory. Looks where it reads first: in the folder and in those above.
 * @throws {ToolError} NEXUS_FILE_UNREADABLE that names the file
 */
export function assertReadableAbove(folder: string): void {
  for (const path of ignoreListsAbove(folder)) {
    const fault = faultOf(statOf(path));
    if (fault) throw unreadable(path, fault);
  }
}

/** Where rg looks for lists of ignored files in the folder and in those above, whether there are any or not. */
export function* ignoreListsAbove(folder: string): Generator<string, void, undefined> {
  for (let at = folder; ; at = dirname(at)) {
    for (const name of READ_BY_RG) yield join(at, name);
    if (dirname(at) === at) return;
  }
}

/** The same for the folders below, the nearest first: for an rg that takes too long, since it costs a walk. */
export async function unreadableBelow(top: string, signal: AbortSignal): Promise<ToolError | undefined> {
  const folders = [top];
  for (let next = 0; next < folders.length && !signal.aborted; next += 1) {
    const folder = folders[next] ?? top;
    for (const name of READ_BY_RG) {
      const path = join(folder, name);
      const fault = faultOf(await stat(path).catch(() => undefined));
      if (fault) return unreadable(path, fault);
    }
    await addFolders(folder, folders);
  }
  return undefined;
}

async function addFolders(folder: string, folders: string[]): Promise<void> {
  try {
    for await (const entry of await opendir(folder)) {
      if (folders.length >= MAX_FOLDERS) return;
      if (entry.isDirectory() && entry.name !== '.git') folders.push(join(folder, entry.name));
    }
  } catch {
    // Gone meanwhile or not permitted: rg reads nothing there either.
  }
}

/** Of where a link leads; undefined for what is gone or not permitted. */
export function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** Of where a link leads, as rg follows it. A folder is no list, and rg goes on. */
function faultOf(stats: Stats | undefined): string | undefined {
  if (!stats || stats.isDirectory()) return undefined;
  if (!stats.isFile()) return 'is no regular file, nor a link to one';
  if (stats.size <= MAX_IGNORE_FILE_BYTES) return undefined;
  return `has ${stats.size} bytes, more than the ${MAX_IGNORE_FILE_BYTES} that a list of ignored files may have`;
}

function unreadable(path: string, fault: string): ToolError {
  const text = `Nothing can be searched here: ${path} ${fault}. Remove or replace it.`;
  return new ToolError('NEXUS_FILE_UNREADABLE', text, { detail: { path } });
}
