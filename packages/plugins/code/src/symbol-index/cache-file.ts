import { createHash } from 'node:crypto';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { createPause } from '../files/pause.ts';
import { LANGUAGES } from '../syntax/languages.ts';
import type { IndexedFile } from './indexed-file.ts';

/** Raise it when the same grammar and query give other symbols than before. */
const EXTRACTION = 1;
const LINES_A_WRITE = 200;

/**
 * What an earlier process indexed; empty when there is nothing, or it was made by other grammars or
 * queries. Only a cache: whatever is wrong with it, the files are parsed again.
 */
export async function loadCache(file: string): Promise<Map<string, IndexedFile>> {
  const pause = createPause();
  const files = new Map<string, IndexedFile>();
  const [header, ...lines] = (await readFile(file, 'utf8').catch(() => '')).split('\n');
  if (header !== fingerprint()) return files;
  for (const line of lines) {
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

/** Written whole under another name, then renamed: a reader finds the old cache or the new one. */
export async function saveCache(file: string, files: ReadonlyMap<string, IndexedFile>): Promise<void> {
  const temporary = `${file}.${process.pid}.tmp`;
  await mkdir(dirname(file), { recursive: true });
  try {
    const handle = await open(temporary, 'w', 0o600);
    try {
      await handle.write(`${fingerprint()}\n`);
      const entries = [...files];
      for (let at = 0; at < entries.length; at += LINES_A_WRITE) {
        const lines = entries.slice(at, at + LINES_A_WRITE).map((entry) => `${JSON.stringify(entry)}\n`);
        await handle.write(lines.join(''));
      }
    } finally {
      await handle.close();
    }
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
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
