import { existsSync, lstatSync, realpathSync, statSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import { ToolError } from '@nexus/plugin-sdk';
import { readTextSync, UnreadableFileError } from '@nexus/primitives';

/** Of git's own small files; nobody's config has more. */
const MAX_FILE_BYTES = 1024 * 1024;
/** What git reads before it does anything. */
const READ_FIRST = ['config', 'config.worktree', 'HEAD', 'commondir', 'info/exclude'];
const OWN_SETTINGS = ['config', 'config.worktree'];

/**
 * git opens whatever lies where it reads first: at a pipe it waits for good, and a link to an endless device fills
 * the memory.
 * @returns the text of each file with settings of the repository's own, of the worktree and of all worktrees
 * @throws {ToolError} NEXUS_FILE_UNREADABLE that names the file
 */
export function assertReadable(treeTop: string): readonly string[] {
  const entry = join(treeTop, '.git');
  const folder = linkedFolder(entry, treeTop, /^gitdir: (.*)$/s) ?? entry;
  const folders = new Set([folder, linkedFolder(join(folder, 'commondir'), folder, /^(.*)$/s) ?? folder]);
  const texts = [...folders].flatMap((each) =>
    READ_FIRST.map((name) => ({ name, text: textOf(join(each, name)) })),
  );
  // git follows no link in its place, but opens a pipe.
  const ignore = join(treeTop, '.gitignore');
  if (!lstatSync(ignore, { throwIfNoEntry: false })?.isSymbolicLink()) textOf(ignore);
  return texts.flatMap(({ name, text }) => (OWN_SETTINGS.includes(name) && text !== undefined ? [text] : []));
}

/** The folder that a file names, where there is such a file; as git reads it, who follows links before it goes up. */
function linkedFolder(file: string, from: string, line: RegExp): string | undefined {
  const named = line.exec(textOf(file) ?? '')?.[1]?.replace(/(?<![\r\n])[\r\n]+$/, '');
  if (!named) return undefined;
  const folder = isAbsolute(named) ? named : `${from}/${named}`;
  return existsSync(folder) ? realpathSync.native(folder) : resolve(folder);
}

/** @returns undefined for a folder, and for what is gone or not permitted, of which git says so itself */
function textOf(path: string): string | undefined {
  try {
    return readTextSync(path, MAX_FILE_BYTES);
  } catch (error) {
    if (!(error instanceof UnreadableFileError) || statSync(path).isDirectory()) return undefined;
    throw new ToolError('NEXUS_FILE_UNREADABLE', `git can't work here: ${error.message}.`, {
      cause: error,
      detail: { path },
    });
  }
}
