import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { decodeText } from '../files/read-text.ts';
import { declarationsIn } from '../syntax/declarations.ts';
import { languageOf } from '../syntax/languages.ts';
import type { Parsers } from '../syntax/parsers.ts';
import type { SourceSymbol } from '../syntax/symbol.ts';

export interface IndexedSymbol extends SourceSymbol {
  readonly isLocal: boolean;
}

/** One file as it was when it was read. */
export interface IndexedFile {
  readonly changedAtMs: number;
  readonly size: number;
  readonly inode: number;
  readonly readAtMs: number;
  readonly hash: string;
  readonly symbols: readonly IndexedSymbol[];
}

/** The coarsest clock of a file system (FAT): a change that soon after a reading may show no new time. */
const CLOCK_STEP_MS = 2_000;

export interface ReadOptions {
  readonly parsers: Parsers;
  readonly maxBytes: number;
  /** What is known of the file; kept when the file still says the same. */
  readonly known: IndexedFile | undefined;
  /** Whether times that look unchanged are believed. */
  readonly trustTimes: boolean;
}

/**
 * The file's symbols, parsed only when its content changed; undefined when there is no text to parse.
 * Reads in this thread, since over the thread pool a look at 1 800 unchanged files took ten times as long.
 */
export async function readIndexed(path: string, options: ReadOptions): Promise<IndexedFile | undefined> {
  const { parsers, maxBytes, known, trustTimes } = options;
  const language = languageOf(path);
  const readAtMs = Date.now();
  try {
    const stats = statSync(path);
    if (!language || !stats.isFile() || stats.size > maxBytes) return undefined;
    const seen = { changedAtMs: stats.ctimeMs, size: stats.size, inode: stats.ino, readAtMs };
    if (known && trustTimes && looksUnchanged(known, seen)) return known;
    const bytes = readFileSync(path);
    const hash = createHash('sha1').update(bytes).digest('base64');
    if (known?.hash === hash) return { ...known, ...seen };
    const text = decodeText(bytes);
    if (text === undefined) return undefined;
    const declarations = declarationsIn(text, language, await parsers.load(language));
    const symbols = declarations.map(({ symbol, isLocal }) => ({ ...symbol, isLocal }));
    return { ...seen, hash, symbols: symbols.filter((symbol) => !isLocalValue(symbol)) };
  } catch (error) {
    // Gone or not permitted: there are no symbols to find in it. Anything else is a fault of ours.
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return undefined;
  }
}

function looksUnchanged(known: IndexedFile, seen: Omit<IndexedFile, 'hash' | 'symbols'>): boolean {
  return (
    known.changedAtMs === seen.changedAtMs &&
    known.size === seen.size &&
    known.inode === seen.inode &&
    known.readAtMs - known.changedAtMs > CLOCK_STEP_MS
  );
}

/** Variables of functions are half of all declarations, and nobody looks them up from outside. */
function isLocalValue({ isLocal, kind }: IndexedSymbol): boolean {
  return isLocal && (kind === 'variable' || kind === 'constant');
}
