import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { WordIndex } from '../ranking/word-index.ts';

/** Raise it when the same tools give another index than before, or a file has another form. */
const FORM = 0x4e_58_00_04;
/** Six numbers, the last of which is nothing: scores begin at a multiple of eight. */
const HEAD_BYTES = 24;
/** As many as a process keeps at once, and those that other projects' processes may come back to. */
const MOST_FILES = 8;

/**
 * The index in a file of ours; undefined where there is none, or it is cut off, damaged or of another
 * form. The file is marked as used.
 */
export async function readIndex(file: string): Promise<WordIndex | undefined> {
  const bytes = await readFile(file).catch(() => undefined);
  if (!bytes || bytes.length < HEAD_BYTES) return undefined;
  // Of its own memory, since typed arrays begin where their numbers can.
  const buffer = Uint8Array.from(bytes).buffer;
  const [form, matches = 0, starts = 0, wordBytes = 0, sum] = new Uint32Array(buffer, 0, 5);
  const size = HEAD_BYTES + matches * 12 + starts * 4 + wordBytes;
  if (form !== FORM || size !== buffer.byteLength) return undefined;
  if (sum !== sumOf([form, matches, starts, wordBytes], [new Uint8Array(buffer, HEAD_BYTES)]))
    return undefined;
  const now = new Date();
  await utimes(file, now, now).catch(() => {});
  const idsAt = HEAD_BYTES + matches * 8;
  const startsAt = idsAt + matches * 4;
  return {
    scores: new Float64Array(buffer, HEAD_BYTES, matches),
    ids: new Uint32Array(buffer, idsAt, matches),
    starts: new Uint32Array(buffer, startsAt, starts),
    words: Buffer.from(buffer, startsAt + starts * 4).toString(),
  };
}

/** Written whole under another name, then renamed; the files used longest ago go. */
export async function writeIndex(file: string, { words, starts, ids, scores }: WordIndex): Promise<void> {
  const text = Buffer.from(words);
  const parts = [scores, ids, starts, text].map(bytesOf);
  const form = [FORM, ids.length, starts.length, text.length];
  const head = Uint32Array.of(...form, sumOf(form, parts), 0);
  const temporary = `${file}.${process.pid}.tmp`;
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  try {
    await writeFile(temporary, [bytesOf(head), ...parts], { mode: 0o600 });
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await dropOldest(dirname(file));
}

function sumOf(form: readonly number[], parts: readonly Uint8Array[]): number {
  return [bytesOf(Uint32Array.from(form)), ...parts].reduce((sum, part) => crc32(part, sum), 0);
}

function bytesOf({ buffer, byteOffset, byteLength }: NodeJS.TypedArray): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/** What a process that ended over its writing has left goes with them. */
async function dropOldest(folder: string): Promise<void> {
  const files = await Promise.all(
    (await readdir(folder)).map(async (name) => {
      const path = join(folder, name);
      return { path, usedAtMs: (await stat(path).catch(() => undefined))?.mtimeMs ?? 0 };
    }),
  );
  files.sort((a, b) => b.usedAtMs - a.usedAtMs);
  for (const { path } of files.slice(MOST_FILES)) await rm(path, { force: true });
}
