import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { createPause } from '../files/pause.ts';
import { LANGUAGES } from '../syntax/languages.ts';
import type { IndexedFile } from './indexed-file.ts';

/** Raise it when the same grammar and query give other symbols than before. */
const EXTRACTION = 2;
const CHARACTERS_A_WRITE = 256 * 1_024;
/** A save takes seconds: what was not written to for so long was left by a process that ended over it. */
const LEFT_AFTER_MS = 10 * 60_000;

/** What an earlier process indexed. */
export interface Cached {
  readonly files: Map<string, IndexedFile>;
  /** Lines that the file has for them: more than files, where some were indexed again or went. */
  readonly lines: number;
}

/**
 * What is in the cache; empty when there is nothing, or it was made by other grammars or queries. Only a cache:
 * whatever is wrong with it, the files are parsed again.
 * @param mostSymbols of which files are taken: what is beyond them is only counted
 */
export async function loadCache(file: string, mostSymbols = Number.POSITIVE_INFINITY): Promise<Cached> {
  const files = new Map<string, IndexedFile>();
  const pause = createPause();
  let isOurs: boolean | undefined;
  let lines = 0;
  let symbols = 0;
  for await (const line of linesOf(file)) {
    isOurs ??= line === fingerprint();
    if (!isOurs) break;
    await pause();
    lines += 1;
    if (symbols >= mostSymbols) continue;
    try {
      // Whole lines under our own fingerprint were written below. The last one of a path counts.
      const [path, indexed] = JSON.parse(line) as [string, IndexedFile | null];
      symbols += indexed?.symbols.length ?? 0;
      if (indexed) files.set(path, indexed);
      else files.delete(path);
    } catch {
      // The fingerprint, the empty line before each part, or one that was cut off.
    }
  }
  return { files, lines };
}

/** None of a file that is not there. */
async function* linesOf(file: string): AsyncGenerator<string> {
  let rest = '';
  try {
    for await (const chunk of createReadStream(file, { encoding: 'utf8', highWaterMark: 256 * 1_024 })) {
      const lines = `${rest}${chunk}`.split('\n');
      rest = lines.pop() ?? '';
      yield* lines;
    }
    yield rest;
  } catch {
    // Only a cache.
  }
}

/** Files as they are now, by path; those that went have none. */
export type Changes = Iterable<readonly [path: string, indexed: IndexedFile | undefined]>;

/**
 * Adds what changed. A part that is cut off costs its own last line: each begins on a line of its own.
 * @returns how many lines were written; undefined where there is no cache of ours to add to
 */
export async function addToCache(file: string, changes: Changes): Promise<number | undefined> {
  const handle = await open(file, 'r+').catch(() => undefined);
  if (!handle) return undefined;
  try {
    const head = `${fingerprint()}\n`;
    const { buffer } = await handle.read(Buffer.alloc(head.length), 0, head.length, 0);
    if (buffer.toString() !== head) return undefined;
  } finally {
    await handle.close();
  }
  const appending = await open(file, 'a', 0o600);
  try {
    return await writeLines(appending, changes, '\n');
  } finally {
    await appending.close();
  }
}

/**
 * Written whole under another name, then renamed: a reader finds the old cache or the new one.
 * @returns how many lines were written
 */
export async function saveCache(file: string, files: Changes): Promise<number> {
  const temporary = `${file}.${process.pid}.tmp`;
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  try {
    const handle = await open(temporary, 'w', 0o600);
    let lines: number;
    try {
      lines = await writeLines(handle, files, `${fingerprint()}\n`);
    } finally {
      await handle.close();
    }
    await rename(temporary, file);
    return lines;
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

async function writeLines(handle: FileHandle, changes: Changes, head: string): Promise<number> {
  let text = head;
  let lines = 0;
  for (const change of changes) {
    text += `${JSON.stringify(change)}\n`;
    lines += 1;
    if (text.length < CHARACTERS_A_WRITE) continue;
    await handle.write(text);
    text = '';
  }
  await handle.write(text);
  return lines;
}

/** Removes what saves that were cut off have left beside the cache. */
export async function dropLeftovers(file: string): Promise<void> {
  const folder = dirname(file);
  const names = await readdir(folder).catch(() => []);
  for (const name of names) {
    if (!name.startsWith(`${basename(file)}.`) || !name.endsWith('.tmp')) continue;
    const path = join(folder, name);
    const found = await stat(path).catch(() => undefined);
    if (found && Date.now() - found.mtimeMs > LEFT_AFTER_MS) await rm(path, { force: true });
  }
}

/** Of all that decides which symbols a text has. */
function fingerprint(): string {
  const require = createRequire(import.meta.url);
  const grammars: { version: string } = require('@vscode/tree-sitter-wasm/package.json');
  return createHash('sha1')
    .update(JSON.stringify([EXTRACTION, grammars.version, LANGUAGES]))
    .digest('hex');
}
