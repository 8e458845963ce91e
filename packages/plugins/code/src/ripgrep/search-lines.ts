import type { ReadAs } from '../files/decode-text.ts';
import { encodingArgs } from './encoding-args.ts';
import { globArgs, listFiles, plainPath } from './list-files.ts';
import { type Ripgrep, ripgrepRecords, sizeArg, type Unreadable } from './run.ts';

/** Beyond this many matching lines a search stops: nobody pages that far, and memory has an end. */
const MAX_MATCHES = 100_000;

export interface LineSearch {
  readonly pattern: string;
  readonly syntax: 'text' | 'regex';
  readonly cwd: string;
  /** A file in `cwd` to search alone; all below `cwd` when absent. */
  readonly file?: string | undefined;
  readonly glob?: string | undefined;
  /** How the file is read that is searched alone. */
  readonly readAs?: ReadAs | undefined;
  readonly signal: AbortSignal;
}

/** Where a line matches first. */
export interface LineMatch {
  /** Relative to `cwd`, with forward slashes. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** Bytes from 1, in UTF-8. */
  readonly column: number;
}

export interface LineMatches {
  readonly total: number;
  /** False when the search was ended at {@link MAX_MATCHES}. */
  readonly isComplete: boolean;
  readonly unreadable: Unreadable;
  /** Matches from `start` to before `end`, by path, then line. */
  slice(start: number, end: number): LineMatch[];
}

/** rg's own `line:column:text` of each matching line, unread as long as nobody asks, by file. */
type Found = Map<string, string[]>;

/**
 * Matching lines by position alone. rg's JSON repeats path and text with each match and took 1.7 times
 * as long on common words; the text of a page is read from its files instead. Sorting by rg would make
 * it run on one thread.
 */
export async function searchLines(ripgrep: Ripgrep, search: LineSearch): Promise<LineMatches> {
  const { glob, cwd, signal } = search;
  const narrows = glob !== undefined && !glob.startsWith('!');
  const [{ found, ...rest }, allowed] = await Promise.all([
    collect(ripgrep, search),
    narrows ? listFiles(ripgrep, { cwd, signal }).then(({ files }) => new Set(files)) : undefined,
  ]);
  const files = [...found].filter(([file]) => !allowed || allowed.has(file)).sort(byPath);
  return {
    ...rest,
    total: files.reduce((sum, [, lines]) => sum + lines.length, 0),
    slice: (start, end) => sliceOf(files, start, end),
  };
}

async function collect(ripgrep: Ripgrep, search: LineSearch) {
  const { pattern, syntax, cwd, file, glob, readAs, signal } = search;
  const args = [
    ...['--line-number', '--column', '--null', '--heading', '--with-filename', '--crlf', '--max-columns=1'],
    ...(syntax === 'text' ? ['--fixed-strings'] : []),
    ...[sizeArg(ripgrep), ...encodingArgs(readAs)],
    ...(glob === undefined ? [] : globArgs(ripgrep, glob)),
  ];
  const operands = [pattern, file === undefined ? './' : `./${file}`];
  const records = ripgrepRecords(ripgrep, { args, operands, cwd, separator: '\n', signal });
  const reader = new HeadingReader();
  try {
    for (;;) {
      const batch = await records.next();
      if (batch.done) return { found: reader.found, isComplete: true, unreadable: batch.value };
      for (const record of batch.value) reader.read(record);
      if (reader.total > MAX_MATCHES) return { found: reader.found, isComplete: false, unreadable: [] };
    }
  } finally {
    await records.return([]);
  }
}

/** rg's lines with `--heading --null`: a path, a NUL and its matching lines; between two files one empty line. */
class HeadingReader {
  readonly found: Found = new Map();
  total = 0;
  /** Of the file that is read; absent before its path has ended, which may hold newlines itself. */
  #lines: string[] | undefined;
  #path = '';

  read(record: string): void {
    if (this.#lines && record === '') this.#lines = undefined;
    else if (this.#lines) this.#add(record, this.#lines);
    else this.#readPath(record);
  }

  #readPath(record: string): void {
    const end = record.indexOf('\0');
    if (end < 0) {
      this.#path += `${record}\n`;
      return;
    }
    this.#lines = [];
    this.found.set(plainPath(this.#path + record.slice(0, end)), this.#lines);
    this.#path = '';
    this.#add(record.slice(end + 1), this.#lines);
  }

  #add(line: string, lines: string[]): void {
    lines.push(line);
    this.total += 1;
  }
}

function sliceOf(files: readonly (readonly [string, string[]])[], start: number, end: number): LineMatch[] {
  const slice: LineMatch[] = [];
  let passed = 0;
  for (const [file, lines] of files) {
    if (passed >= end) break;
    for (const record of lines.slice(Math.max(0, start - passed), end - passed)) {
      const [line, column] = record.split(':', 2).map(Number);
      slice.push({ file, line: line ?? 1, column: column ?? 1 });
    }
    passed += lines.length;
  }
  return slice;
}

function byPath([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}
