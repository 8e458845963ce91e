import { createPause } from '../files/pause.ts';
import { sortInTurns } from '../files/sort-in-turns.ts';
import { MAX_LISTED, plainPath } from './list-files.ts';
import { type Ripgrep, ripgrepRecords } from './run.ts';

export interface Matching {
  readonly text: string;
  readonly cwd: string;
  /** A file in `cwd` to search alone; all below `cwd` when absent. */
  readonly file?: string | undefined;
  readonly anyCase?: boolean;
  readonly signal: AbortSignal;
}

/** Files that hold `text` literally, relative to `cwd`, sorted; at most about {@link MAX_LISTED}. */
export async function listMatching(
  ripgrep: Ripgrep,
  { text, cwd, file, anyCase, signal }: Matching,
): Promise<string[]> {
  const where = file === undefined ? './' : `./${file}`;
  const run = {
    args: ['--files-with-matches', '--null', '--fixed-strings', ...(anyCase ? ['--ignore-case'] : [])],
    operands: [text, where],
    cwd,
    separator: '\0',
    signal,
  } as const;
  const files: string[] = [];
  for await (const batch of ripgrepRecords(ripgrep, run)) {
    for (const path of batch) files.push(plainPath(path));
    if (files.length > MAX_LISTED) break;
  }
  return sortInTurns(files, createPause());
}
