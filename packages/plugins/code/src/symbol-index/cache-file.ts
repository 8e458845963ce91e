import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
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

/**
 * What an earlier process indexed; empty when there is nothing, or it was made by other grammars or
 * queries. Only a cache: whatever is wrong with it, the files are parsed again.
 */
export async function loadCache(file: string): Promise<Map<string, IndexedFile>> {
  const files = new Map<string, IndexedFile>();
  const pause = createPause();
  let isOurs: boolean | undefined;
  for await (const line of linesOf(file)) {
    isOurs ??= line === fingerprint();
    if (!isOurs) break;
    await pause();
    try {
      // Lines under our own fingerprint were written below and whole, since the file was renamed there.
      const [path, indexed] = JSON.parse(line) as [string, IndexedFile];
      files.set(path, indexed);
    } catch {
      // The empty line at the end.
    }
  }
  return files;
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

/** Written whole under another name, then renamed: a reader finds the old cache or the new one. */
export async function saveCache(file: string, files: ReadonlyMap<string, IndexedFile>): Promise<void> {
  const temporary = `${file}.${process.pid}.tmp`;
  await mkdir(dirname(file), { recursive: true });
  try {
    const handle = await open(temporary, 'w', 0o600);
    try {
      await handle.write(`${fingerprint()}\n`);
      let lines = '';
      for (const entry of files) {
        lines += `${JSON.stringify(entry)}\n`;
        if (lines.length < CHARACTERS_A_WRITE) continue;
        await handle.write(lines);
        lines = '';
      }
      await handle.write(lines);
    } finally {
      await handle.close();
    }
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
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
