import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { PROBED_BYTES, type ReadAs, readAsOf } from '../files/decode-text.ts';
import { globArgs, type Listing, listFiles, plainPath } from '../ripgrep/list-files.ts';
import { type Ripgrep, ripgrepRecords, sizeArg } from '../ripgrep/run.ts';

/** Files below a folder that rg passes over, or does not read as they are meant; paths relative to it. */
export interface Unsearched {
  /** Larger than is read at all. */
  readonly tooLarge: readonly string[];
  readonly foreign: readonly Foreign[];
  /** Whether there were more candidates than were looked at. */
  readonly isPartial: boolean;
}

export interface Foreign {
  readonly file: string;
  readonly readAs: ReadAs;
}

/** Most files with such bytes are pictures; of more than this the rest is not looked at. */
export const MAX_PROBED = 20_000;

/** A byte that no text has but one whose characters have several bytes each. */
const NUL = '\\x00';
/** Bytes that are no UTF-8: a first one without a second, a second one without a first. */
const NO_UTF8 = '[\\xc0-\\xff](?:[^\\x80-\\xbf]|$)|(?:^|[\\x00-\\x7f])[\\x80-\\xbf]';

export interface UnsearchedListing extends Listing {
  /** Whether what is looked for is ASCII: it is found in files of single bytes, such as Latin-1, whatever they are. */
  readonly isAscii: boolean;
}

/**
 * What a search of a folder does not see: files beyond the limit, and texts in an encoding that rg does not know by a
 * mark.
 */
export async function unsearched(
  ripgrep: Ripgrep,
  { isAscii, ...listing }: UnsearchedListing,
): Promise<Unsearched> {
  const [all, within, foreign] = await Promise.all([
    listFiles(ripgrep, listing),
    listFiles(ripgrep, { ...listing, isReadable: true }),
    foreignFiles(ripgrep, listing, isAscii ? NUL : `${NUL}|${NO_UTF8}`),
  ]);
  const readable = new Set(within.files);
  return {
    tooLarge: all.files.filter((file) => !readable.has(file)),
    foreign: foreign.found.filter(({ file }) => readable.has(file)),
    isPartial: foreign.isPartial,
  };
}

async function foreignFiles(ripgrep: Ripgrep, { cwd, glob, signal }: Listing, bytes: string) {
  const args = [
    ...['--files-with-matches', '--null', '--text', '--encoding=none', sizeArg(ripgrep)],
    ...(glob === undefined ? [] : globArgs(ripgrep, glob)),
  ];
  const operands = [`(?-u)${bytes}`, './'];
  const found: Foreign[] = [];
  let probed = 0;
  for await (const batch of ripgrepRecords(ripgrep, { args, operands, cwd, separator: '\0', signal })) {
    for (const path of batch) {
      probed += 1;
      if (probed > MAX_PROBED) return { found, isPartial: true };
      const readAs = await readAsAt(join(cwd, path));
      if (readAs !== undefined && readAs !== 'faulty UTF-8') found.push({ file: plainPath(path), readAs });
    }
  }
  return { found, isPartial: false };
}

/** @returns undefined also for what is gone by now */
async function readAsAt(path: string): Promise<ReadAs | undefined> {
  try {
    await using file = await open(path);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(PROBED_BYTES), 0, PROBED_BYTES, 0);
    return readAsOf(buffer.subarray(0, bytesRead));
  } catch (error) {
    if (error instanceof Error && 'code' in error) return undefined;
    throw error;
  }
}
