import { globArgs, listFiles, plainPath } from './list-files.ts';
import { type Ripgrep, ripgrepRecords, type Unreadable } from './run.ts';

/** Beyond this many matching lines a search stops: nobody pages that far, and memory has an end. */
export const MAX_MATCHES = 100_000;

export interface LineSearch {
  readonly pattern: string;
  readonly syntax: 'text' | 'regex';
  readonly cwd: string;
  /** A file in `cwd` to search alone; all below `cwd` when absent. */
  readonly file?: string | undefined;
  readonly glob?: string | undefined;
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
  /** By path, then line. */
  readonly matches: readonly LineMatch[];
  /** False when the search was ended at {@link MAX_MATCHES}. */
  readonly isComplete: boolean;
  readonly unreadable: Unreadable;
}

/**
 * Matching lines by position alone. rg's JSON repeats path and text with each match and took 1.7 times
 * as long on common words; a page's text is read from its files instead.
 */
export async function searchLines(ripgrep: Ripgrep, search: LineSearch): Promise<LineMatches> {
  const { glob, cwd, signal } = search;
  const narrows = glob !== undefined && !glob.startsWith('!');
  const [found, allowed] = await Promise.all([
    collect(ripgrep, search),
    narrows ? listFiles(ripgrep, { cwd, signal }).then((files) => new Set(files)) : undefined,
  ]);
  const matches = allowed ? found.matches.filter(({ file }) => allowed.has(file)) : found.matches;
  return { ...found, matches: matches.sort(byPlace) };
}

async function collect(ripgrep: Ripgrep, search: LineSearch) {
  const { pattern, syntax, cwd, file, glob, signal } = search;
  const args = [
    ...[
      '--line-number',
      '--column',
      '--null',
      '--no-heading',
      '--with-filename',
      '--crlf',
      '--max-columns=1',
    ],
    ...(syntax === 'text' ? ['--fixed-strings'] : []),
    ...(glob === undefined ? [] : globArgs(ripgrep, glob)),
    ...['--', pattern, file === undefined ? './' : `./${file}`],
  ];
  const matches: LineMatch[] = [];
  const records = ripgrepRecords(ripgrep, { args, cwd, separator: '\n', signal });
  try {
    for (;;) {
      const batch = await records.next();
      if (batch.done) return { matches, isComplete: true, unreadable: batch.value };
      for (const record of batch.value) addMatch(matches, record);
      if (matches.length > MAX_MATCHES) return { matches, isComplete: false, unreadable: [] };
    }
  } finally {
    await records.return([]);
  }
}

/** `path NUL line:column:text` */
function addMatch(matches: LineMatch[], record: string): void {
  const end = record.indexOf('\0');
  const [line, column] = record.slice(end + 1, end + 30).split(':', 2);
  if (end < 0 || !line || !column) return;
  matches.push({ file: plainPath(record.slice(0, end)), line: Number(line), column: Number(column) });
}

function byPlace(a: LineMatch, b: LineMatch): number {
  if (a.file !== b.file) return a.file < b.file ? -1 : 1;
  return a.line - b.line;
}
